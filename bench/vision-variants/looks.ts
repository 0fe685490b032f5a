/** What makes the eyes of people look different: skin, make-up, glasses, brows, narrow eyes. Of a portrait, another. */
import { boundsOf, distance, type Point } from '@karaar/faces/geometry';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import { blurred, mapped, middleOf, painted, type Colour } from './canvas.ts';
import { lowered } from './closed-lids.ts';
import { glasses, type Portrait } from './faces.ts';
import type { Random } from './random.ts';

export type Look = (portrait: Portrait, random: Random) => Promise<Portrait>;

const lidsOf = (contour: readonly Point[]): readonly Point[] => contour.slice(0, LID_POINTS);
const widthOfEye = (contour: readonly Point[]): number => distance(contour[0] as Point, contour[8] as Point);

/** The upper edge of an eye, from left to right. */
export function upperLid(contour: readonly Point[]): Point[] {
  const lids = lidsOf(contour);
  return [...lids.slice(8), lids[0] as Point].sort((a, b) => a.x - b.x);
}

const TONES: readonly [Colour, ...Colour[]] = [
  [0.78, 0.7, 0.62],
  [0.56, 0.47, 0.4],
  [0.4, 0.31, 0.25],
  [0.3, 0.22, 0.18],
];

/** Another skin, the eyes between the lids as they are but for a darker iris. */
async function skin(portrait: Portrait, random: Random): Promise<Portrait> {
  const { picture, eyes } = portrait;
  const tone = random.pick(TONES);
  const iris = random.between(0.45, 1);
  const { width, height } = picture;
  const shapes = eyes.map(
    (eye) =>
      `<polygon points="${lidsOf(eye)
        .map(({ x, y }) => `${x},${y}`)
        .join(' ')}" fill="white"/>`,
  );
  const black = { rgb: new Uint8Array(picture.rgb.length), width, height };
  const mask = await blurred(await painted(black, shapes.join('')), widthOfEye(eyes[0] ?? []) * 0.02);
  const rgb = picture.rgb.map((value, i) => {
    const inside = (mask.rgb[i] ?? 0) / 255;
    const at = i - (i % 3);
    const luma = ((picture.rgb[at] ?? 0) + (picture.rgb[at + 1] ?? 0) + (picture.rgb[at + 2] ?? 0)) / 3;
    const within = value * (luma < 90 ? iris : 1);
    return inside * within + (1 - inside) * value * (tone[i % 3] ?? 1);
  });
  return { ...portrait, picture: { ...picture, rgb } };
}

/** Upper lids that hang: eyes that are open by less. */
async function narrow(portrait: Portrait, random: Random): Promise<Portrait> {
  let { picture } = portrait;
  const by = random.between(0.12, 0.3);
  for (const eye of portrait.eyes) picture = lowered(picture, eye, by);
  return { ...portrait, picture };
}

/** Eyeliner, and shadow on the lid. */
async function makeUp(portrait: Portrait, random: Random): Promise<Portrait> {
  const [thick, strong] = [random.between(0.02, 0.07), random.between(0.5, 0.95)];
  const shadow = `hsl(${random.between(0, 360)} ${random.between(20, 60)}% ${random.between(15, 50)}%)`;
  const shapes = portrait.eyes.map((eye) => {
    const width = widthOfEye(eye);
    const lid = upperLid(eye).map(({ x, y }) => `${x},${y - width * 0.03}`);
    const { x, y } = middleOf(boundsOf(upperLid(eye)));
    return `<ellipse cx="${x}" cy="${y - width * 0.14}" rx="${width * 0.55}" ry="${width * 0.13}" fill="${shadow}" fill-opacity="${strong * 0.4}"/><polyline points="${lid.join(' ')}" fill="none" stroke="#0d0a0a" stroke-opacity="${strong}" stroke-width="${width * thick}" stroke-linecap="round"/>`;
  });
  return { ...portrait, picture: await painted(portrait.picture, shapes.join('')) };
}

async function withGlasses(portrait: Portrait, random: Random): Promise<Portrait> {
  return { ...portrait, picture: await painted(portrait.picture, glasses(portrait.keypoints, random)) };
}

/** Brows of hairs, dense and dark, close above the eyes or farther. */
async function brows(portrait: Portrait, random: Random): Promise<Portrait> {
  const [rise, thick, arch] = [
    random.between(0.42, 0.62),
    random.between(0.1, 0.22),
    random.between(0.04, 0.16),
  ];
  const opacity = random.between(0.25, 0.6);
  const shapes = portrait.eyes.flatMap((eye) => {
    const width = widthOfEye(eye);
    const { x, y } = middleOf(boundsOf(lidsOf(eye)));
    return Array.from({ length: 70 }, () => {
      const along = random.between(-0.7, 0.7);
      const up = rise + arch * (1 - (along / 0.7) ** 2) + random.between(-0.5, 0.5) * thick;
      const [fromX, fromY] = [x + along * width, y - up * width];
      const [dx, dy] = [random.between(0.04, 0.14) * Math.sign(along || 1), random.between(-0.08, 0.02)];
      return `<path d="M${fromX} ${fromY}l${dx * width} ${dy * width}" stroke="#1a120d" stroke-opacity="${opacity}" stroke-width="${width * 0.03}" stroke-linecap="round"/>`;
    });
  });
  return { ...portrait, picture: await painted(portrait.picture, shapes.join('')) };
}

/** One side of the nose in shade. */
async function shaded(portrait: Portrait, random: Random): Promise<Portrait> {
  const [left, deep] = [random.pick([true, false]), random.between(0.25, 0.6)];
  const nose = (portrait.keypoints[2]?.x ?? 0) / portrait.picture.width;
  const picture = mapped(portrait.picture, (value, across) => {
    const lit = 1 / (1 + Math.exp((left ? across - nose : nose - across) * 20));
    return value * (deep + (1 - deep) * lit);
  });
  return { ...portrait, picture };
}

/** Looks of people whose eyes may be open or closed. */
export const LOOKS = { skin, brows, glasses: withGlasses, shaded } satisfies Record<string, Look>;
/** Looks that only open eyes have. */
export const OPEN_LOOKS = { narrow, 'make-up': makeUp } satisfies Record<string, Look>;
