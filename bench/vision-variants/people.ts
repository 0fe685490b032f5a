/**
 * People who do not exist, out of a few portraits: the features of one mixed with another's, eyes, brows, nose and mouth of
 * other sizes and places, another skin and age. They differ more than the portraits do, and less than people do.
 */
import { boundsOf, distance, widthOf, type Point } from '@karaar/faces/geometry';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { blurred, middleOf, painted } from './canvas.ts';
import type { Portrait } from './faces.ts';
import type { Random } from './random.ts';
import { bent } from './warp.ts';

/** Of an eye's 71 points those from here on are socket and brow. */
const EYE_POINTS = 71;

/** A face that looks a little like the first and, perhaps, like the second. */
export async function madeUp(first: Portrait, second: Portrait, random: Random): Promise<Portrait> {
  const from = pointsOf(first);
  const other = fitted(pointsOf(second), from);
  const mixed = random.pick([true, true, false]);
  const shape = mixed ? random.between(-0.35, 0.7) : 0;
  const to = reshaped(
    from.map((point, i) => towards(point, other[i] ?? point, shape)),
    random,
  );
  let picture = bent(first.picture, from, to);
  if (mixed) {
    const theirs = bent(second.picture, pointsOf(second), to, first.picture);
    picture = await mixedOn(picture, theirs, first, to, random.between(0.2, 0.75));
  }
  const portrait = portraitOf(picture, first, to);
  return aged(await coloured(portrait, random), random);
}

const pointsOf = ({ eyes, keypoints }: Portrait): Point[] => [...eyes.flat(), ...keypoints];

function portraitOf(picture: Picture, like: Portrait, points: readonly Point[]): Portrait {
  const eyes = like.eyes.map((_, i) => points.slice(i * EYE_POINTS, (i + 1) * EYE_POINTS));
  return { picture, box: like.box, eyes, keypoints: points.slice(like.eyes.length * EYE_POINTS) };
}

const towards = (a: Point, b: Point, share: number): Point => ({
  x: a.x + (b.x - a.x) * share,
  y: a.y + (b.y - a.y) * share,
});

const middleOfAll = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** Points moved, turned and scaled to lie on others as well as they can. */
function fitted(points: readonly Point[], onto: readonly Point[]): Point[] {
  const [here, there] = [middleOfAll(points), middleOfAll(onto)];
  let [along, aside, size] = [0, 0, 0];
  for (const [i, { x, y }] of points.entries()) {
    const [px, py] = [x - here.x, y - here.y];
    const [qx, qy] = [(onto[i]?.x ?? 0) - there.x, (onto[i]?.y ?? 0) - there.y];
    along += px * qx + py * qy;
    aside += px * qy - py * qx;
    size += px * px + py * py;
  }
  return points.map(({ x, y }) => {
    const [dx, dy] = [x - here.x, y - here.y];
    return { x: there.x + (along * dx - aside * dy) / size, y: there.y + (aside * dx + along * dy) / size };
  });
}

/** Eyes larger or smaller, rounder or narrower, slanted, apart; brows higher or lower; nose and mouth elsewhere. */
function reshaped(points: readonly Point[], random: Random): Point[] {
  const [wide, high, slant] = [
    random.between(0.85, 1.18),
    random.between(0.7, 1.25),
    random.between(-0.14, 0.14),
  ];
  const [apart, rise, browRise] = [
    random.between(-0.12, 0.12),
    random.between(-0.1, 0.1),
    random.between(-0.14, 0.14),
  ];
  const [chin, uneven] = [random.between(-0.2, 0.3), random.between(-0.04, 0.04)];
  const face = middleOfAll(points);
  const eyes = [0, 1].flatMap((which) => {
    const eye = points.slice(which * EYE_POINTS, (which + 1) * EYE_POINTS);
    const lids = eye.slice(0, LID_POINTS);
    const centre = middleOf(boundsOf(lids));
    const width = distance(eye[0] as Point, eye[8] as Point);
    const side = Math.sign(centre.x - face.x);
    const [cos, sin] = [Math.cos(slant * side), Math.sin(slant * side)];
    const tall = high + (which === 0 ? uneven : -uneven);
    return eye.map(({ x, y }) => {
      const [dx, dy] = [(x - centre.x) * wide, (y - centre.y) * tall];
      // What lies well above the lids is the brow.
      const brow = (y - centre.y) / width < -0.35 ? -browRise * width : 0;
      return {
        x: centre.x + dx * cos - dy * sin + side * apart * width,
        y: centre.y + dx * sin + dy * cos - rise * width + brow,
      };
    });
  });
  const width = distance(points[0] as Point, points[8] as Point);
  // Right eye, left eye, nose, mouth and ears: the eyes' middles go where the eyes go.
  const below = points.slice(2 * EYE_POINTS).map((point, i) => {
    if (i < 2) {
      const eye = nearest(point, eyes);
      return middleOf(boundsOf(eye.slice(0, LID_POINTS)));
    }
    const down = i === 2 ? chin * 0.5 : i === 3 ? chin : 0;
    return { x: point.x, y: point.y + down * width };
  });
  return [...eyes, ...below];
}

/** Of two eyes' points, one after the other, those of the eye that is nearer. */
function nearest(point: Point, eyes: readonly Point[]): Point[] {
  const [a, b] = [eyes.slice(0, EYE_POINTS), eyes.slice(EYE_POINTS)];
  const far = (eye: Point[]): number => distance(point, middleOf(boundsOf(eye.slice(0, LID_POINTS))));
  return far(a) <= far(b) ? a : b;
}

/** The other's skin and eyes laid over this face, brought to its light, softly at the edge. */
async function mixedOn(
  picture: Picture,
  theirs: Picture,
  { box }: Portrait,
  points: readonly Point[],
  share: number,
): Promise<Picture> {
  const { width, height } = picture;
  const face = widthOf(box);
  const { x, y } = middleOfAll(points.slice(2 * EYE_POINTS, 2 * EYE_POINTS + 4));
  const oval = `<ellipse cx="${x}" cy="${y}" rx="${face * 0.42}" ry="${face * 0.5}" fill="white"/>`;
  const black = { rgb: new Uint8Array(picture.rgb.length), width, height };
  const mask = await blurred(await painted(black, oval), face * 0.06);
  const means = [picture, theirs].map((one) =>
    [0, 1, 2].map((channel) => {
      let [sum, count] = [0, 0];
      for (let i = channel; i < one.rgb.length; i += 3 * 7)
        if ((mask.rgb[i] ?? 0) > 200) [sum, count] = [sum + (one.rgb[i] ?? 0), count + 1];
      return sum / Math.max(1, count);
    }),
  );
  const gains = [0, 1, 2].map(
    (channel) => (means[0]?.[channel] ?? 1) / Math.max(1, means[1]?.[channel] ?? 1),
  );
  const rgb = picture.rgb.map((value, i) => {
    const part = (share * (mask.rgb[i] ?? 0)) / 255;
    return Math.min(255, value * (1 - part) + (theirs.rgb[i] ?? 0) * (gains[i % 3] ?? 1) * part);
  });
  return { ...picture, rgb };
}

/** Mean luma of a face in ordinary light, from the lightest skin to the darkest, and how warm its shade is. */
const SKINS: readonly [Skin, ...Skin[]] = [
  { luma: 205, warm: 0.04 },
  { luma: 175, warm: 0.07 },
  { luma: 145, warm: 0.1 },
  { luma: 115, warm: 0.12 },
  { luma: 90, warm: 0.14 },
  { luma: 70, warm: 0.14 },
];
interface Skin {
  luma: number;
  warm: number;
}
/** No skin is made lighter or darker by more than this: shadows and highlights would no longer be what they were. */
const MOST = { lighter: 1.35, darker: 0.4 };

/** Another skin, and eyes darker or lighter; what is around the face stays as it is. */
async function coloured(portrait: Portrait, random: Random): Promise<Portrait> {
  const { picture, eyes, box } = portrait;
  const { width, height } = picture;
  const { luma: wanted, warm } = random.pick(SKINS);
  const factor = Math.min(MOST.lighter, Math.max(MOST.darker, wanted / lumaOfFace(portrait)));
  const tone = [1 + warm, 1, 1 - warm].map((shade) => factor * (factor < 1 ? shade : 1));
  const iris = random.between(0.6, 1.5);
  const black = { rgb: new Uint8Array(picture.rgb.length), width, height };
  const face = widthOf(box);
  const { x, y } = middleOf(box);
  const oval = `<ellipse cx="${x}" cy="${y - face * 0.02}" rx="${face * 0.62}" ry="${face * 0.85}" fill="white"/>`;
  const onFace = await blurred(await painted(black, oval), face * 0.08);
  const lids = eyes.map((eye) => {
    const points = eye.slice(0, LID_POINTS).map((point) => `${point.x},${point.y}`);
    return `<polygon points="${points.join(' ')}" fill="white"/>`;
  });
  const eye = distance(eyes[0]?.[0] as Point, eyes[0]?.[8] as Point);
  const inEyes = await blurred(await painted(black, lids.join('')), eye * 0.02);
  const rgb = picture.rgb.map((value, i) => {
    const [inside, skin] = [(inEyes.rgb[i] ?? 0) / 255, (onFace.rgb[i] ?? 0) / 255];
    const at = i - (i % 3);
    const luma = ((picture.rgb[at] ?? 0) + (picture.rgb[at + 1] ?? 0) + (picture.rgb[at + 2] ?? 0)) / 3;
    // Neither the pupil nor the white is lighter in lighter eyes.
    const within = value * (luma > 25 && luma < 100 ? iris : 1) * Math.min(1, factor ** 0.4);
    const without = value * (1 + skin * ((tone[i % 3] ?? 1) - 1));
    return Math.min(255, inside * within + (1 - inside) * without);
  });
  return { ...portrait, picture: { ...picture, rgb } };
}

/** The middle of the face alone: neither hair nor what is behind. */
function lumaOfFace({ picture, box }: Portrait): number {
  const { x, y } = middleOf(box);
  const reach = widthOf(box) * 0.3;
  let [sum, count] = [0, 0];
  for (let row = Math.max(0, Math.round(y - reach)); row < Math.min(picture.height, y + reach); row++)
    for (
      let column = Math.max(0, Math.round(x - reach));
      column < Math.min(picture.width, x + reach);
      column++
    ) {
      const at = (row * picture.width + column) * 3;
      const [red = 0, green = 0, blue = 0] = picture.rgb.subarray(at, at + 3);
      sum += 0.299 * red + 0.587 * green + 0.114 * blue;
      count++;
    }
  return Math.max(1, sum / Math.max(1, count));
}

/** Folds and bags under the eyes and at their outer corners, for every second one. */
async function aged(portrait: Portrait, random: Random): Promise<Portrait> {
  if (random.pick([true, false])) return portrait;
  const strong = random.between(0.08, 0.32);
  const face = middleOfAll(portrait.keypoints.slice(0, 4));
  const shapes = portrait.eyes.flatMap((eye) => {
    const width = distance(eye[0] as Point, eye[8] as Point);
    const { left, right, bottom } = boundsOf(eye.slice(0, LID_POINTS));
    const outer = Math.sign((left + right) / 2 - face.x);
    const line = (path: string, thick: number): string =>
      `<path d="${path}" fill="none" stroke="#20100a" stroke-opacity="${strong}" stroke-width="${width * thick}" stroke-linecap="round"/>`;
    const bags = [0.12, 0.22, 0.3].map((below) => {
      const drop = (below + random.between(-0.03, 0.03)) * width;
      return line(
        `M${left} ${bottom + drop * 0.6}Q${(left + right) / 2} ${bottom + drop * 1.6} ${right} ${bottom + drop * 0.6}`,
        0.02,
      );
    });
    const [x, y] = [outer > 0 ? right : left, bottom - width * 0.1];
    const feet = [-0.18, -0.04, 0.1, 0.22].map((down) =>
      line(
        `M${x + outer * width * 0.1} ${y + (down * width) / 2}l${outer * width * random.between(0.15, 0.35)} ${down * width}`,
        0.016,
      ),
    );
    return [...bags, ...feet];
  });
  return { ...portrait, picture: await painted(portrait.picture, shapes.join('')) };
}
