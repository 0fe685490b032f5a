/** Portraits as people send them: ordinary ones, and one way of being hard at a time. */
import { heightOf, widthOf, type Point, type Rect, type Size } from '@karaar/faces/geometry';
import type { Picture } from '@karaar/service-vision/inference/picture';
import {
  blurred,
  coarse,
  cutOut,
  jpeg,
  mapped,
  middleOf,
  noisy,
  painted,
  storedLying,
  type Colour,
  type Cut,
} from './canvas.ts';
import type { Random } from './random.ts';

/** A portrait with where things are on it. */
export interface Portrait {
  picture: Picture;
  box: Rect;
  /** Right eye, left eye (of the person), nose, mouth, right ear, left ear. */
  keypoints: readonly Point[];
  /** Contours of both eyes, the left one on the picture first. */
  eyes: readonly (readonly Point[])[];
}

interface Framed {
  picture: Picture;
  keypoints: Point[];
  /** Width of the face on it. */
  face: number;
}

export type Variant = (portrait: Portrait, random: Random) => Promise<Buffer>;

const FRAMES: readonly [Size, ...Size[]] = [
  { width: 640, height: 480 },
  { width: 480, height: 640 },
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
  { width: 512, height: 512 },
  { width: 1500, height: 2000 },
];
const BEYOND: readonly [Colour, ...Colour[]] = [
  [200, 196, 188],
  [70, 74, 80],
  [236, 236, 238],
  [120, 104, 90],
];

/** The face framed by chance: its size and place, the picture's format. */
async function framed(
  { picture, box, keypoints }: Portrait,
  random: Random,
  {
    share = [0.28, 0.5],
    size = random.pick(FRAMES),
    ...cut
  }: { share?: [number, number]; size?: Size } & Partial<Cut> = {},
): Promise<Framed> {
  const face = random.between(...share) * Math.min(size.width, size.height);
  const width = (size.width * widthOf(box)) / face;
  const middle = middleOf(box);
  const centre = {
    x: middle.x + random.between(-0.25, 0.25) * widthOf(box),
    y: middle.y + random.between(-0.1, 0.35) * heightOf(box),
  };
  const { picture: out, place } = await cutOut(picture, { centre, width, ...cut }, size, random.pick(BEYOND));
  return { picture: out, keypoints: keypoints.map(place), face };
}

const gamma = (picture: Picture, power: number): Picture =>
  mapped(picture, (value) => 255 * (value / 255) ** power);
const tinted = (picture: Picture, [red, green, blue]: Colour): Picture =>
  mapped(picture, (value, _across, _down, channel) => value * ([red, green, blue][channel] ?? 1));

/** Two round or square glasses with bridge and temples. */
export function glasses([right, left]: readonly Point[], random: Random): string {
  if (!right || !left) throw new Error('A face has two eyes');
  const apart = Math.hypot(left.x - right.x, left.y - right.y);
  const turn = (Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI;
  const [w, h] = [apart * random.between(0.36, 0.44), apart * random.between(0.26, 0.38)];
  const style = `fill="white" fill-opacity="${random.between(0.02, 0.16)}" stroke="${random.pick(['#111', '#402a18', '#777'])}" stroke-width="${apart * random.between(0.02, 0.08)}"`;
  const round = random.between(0.2, 1);
  const one = ({ x, y }: Point) =>
    `<rect x="${x - w}" y="${y - h * 0.9}" width="${2 * w}" height="${2 * h}" rx="${w * round}" ry="${h * round}" transform="rotate(${turn} ${x} ${y})" ${style}/>`;
  const middle = { x: (right.x + left.x) / 2, y: (right.y + left.y) / 2 };
  return `${one(right)}${one(left)}<path d="M${middle.x - apart * 0.12} ${middle.y}h${apart * 0.24}" ${style}/>`;
}

/** A hand, a mask, a phone or hair over part of the face; the eyes stay free. */
function cover([right, left, nose, mouth, earRight, earLeft]: readonly Point[], random: Random): string {
  if (!right || !left || !nose || !mouth || !earRight || !earLeft) throw new Error('A face has six points');
  const apart = Math.hypot(left.x - right.x, left.y - right.y);
  switch (random.pick(['mask', 'hand', 'phone', 'hair'] as const)) {
    case 'mask': {
      const top = nose.y - apart * 0.12;
      const wide = Math.abs(earLeft.x - earRight.x) * 0.46;
      const colour = random.pick(['#9cc4dd', '#f0f0ee', '#222']);
      return `<path d="M${nose.x - wide} ${top + apart * 0.1}Q${nose.x} ${top - apart * 0.25} ${nose.x + wide} ${top + apart * 0.1}L${nose.x + wide * 0.75} ${mouth.y + apart * 0.7}Q${nose.x} ${mouth.y + apart * 1.05} ${nose.x - wide * 0.75} ${mouth.y + apart * 0.7}z" fill="${colour}"/>`;
    }
    case 'hand':
      return [-0.3, -0.1, 0.1, 0.3]
        .map(
          (x) =>
            `<rect x="${mouth.x + (x - 0.09) * apart}" y="${mouth.y - apart * 0.18}" width="${apart * 0.19}" height="${apart * 1.3}" rx="${apart * 0.09}" fill="#a9765a" stroke="#7d5240" stroke-width="${apart * 0.012}"/>`,
        )
        .join('');
    case 'phone': {
      const side = random.pick([1, -1]);
      const x = mouth.x + side * apart * 0.62 - apart * 0.28;
      return `<rect x="${x}" y="${nose.y - apart * 0.1}" width="${apart * 0.56}" height="${apart * 1.5}" rx="${apart * 0.08}" fill="#18191c"/>`;
    }
    case 'hair':
      return `<path d="M${earRight.x - apart * 0.3} ${right.y - apart * 1.1}L${earLeft.x + apart * 0.3} ${right.y - apart * 1.1}L${earLeft.x + apart * 0.2} ${left.y - apart * 0.2}Q${nose.x} ${right.y - apart * 0.5} ${earRight.x - apart * 0.1} ${right.y - apart * 0.24}z" fill="#241a14"/>`;
  }
}

const sideLit = (picture: Picture, random: Random): Picture => {
  const [from, deep] = [random.pick([0, 1]), random.between(0.08, 0.3)];
  const edge = random.between(0.42, 0.58);
  return mapped(picture, (value, across) => {
    const lit = 1 / (1 + Math.exp(-((from ? across : 1 - across) - edge) * 14));
    return value * (deep + (1.1 - deep) * lit);
  });
};

const backLit = ({ picture, keypoints, face }: Framed, random: Random): Picture => {
  const [, , nose] = keypoints;
  const [dark, light] = [random.between(0.3, 0.5), random.between(1.5, 2.2)];
  return mapped(picture, (value, across, down) => {
    const apart = Math.hypot(
      across * picture.width - (nose?.x ?? 0),
      (down * picture.height - (nose?.y ?? 0)) * 0.75,
    );
    const outside = 1 / (1 + Math.exp(-(apart / face - 0.85) * 9));
    return value * (dark + (light - dark) * outside) + 70 * outside;
  });
};

export const ORDINARY: Record<string, Variant> = {
  ordinary: async (portrait, random) => {
    const { picture } = await framed(portrait, random, { turn: random.between(-0.12, 0.12) });
    return jpeg(gamma(picture, random.between(0.8, 1.25)), Math.round(random.between(70, 92)));
  },
};

const degrees = (value: number): number => (value * Math.PI) / 180;

/** One way of being hard each. */
export const HARD: Record<string, Variant> = {
  dim: async (portrait, random) => {
    const { picture } = await framed(portrait, random);
    return jpeg(noisy(tinted(picture, [random.between(0.22, 0.45), 0.3, 0.26]), random, 3), 80);
  },
  gamma: async (portrait, random) =>
    jpeg(gamma((await framed(portrait, random)).picture, random.between(1.6, 2.6)), 85),
  bright: async (portrait, random) => {
    const factor = random.between(1.4, 2);
    return jpeg(
      mapped((await framed(portrait, random)).picture, (value) => value * factor),
      85,
    );
  },
  'side-light': async (portrait, random) =>
    jpeg(sideLit((await framed(portrait, random)).picture, random), 85),
  'back-light': async (portrait, random) => jpeg(backLit(await framed(portrait, random), random), 85),
  glasses: async (portrait, random) => {
    const { picture, keypoints } = await framed(portrait, random);
    return jpeg(await painted(picture, glasses(keypoints, random)), 85);
  },
  turned: async (portrait, random) =>
    jpeg((await framed(portrait, random, { squeeze: random.between(0.6, 0.8) })).picture, 85),
  'tilted-30': async (portrait, random) =>
    jpeg((await framed(portrait, random, tilt(25, 40, random))).picture, 85),
  'tilted-50': async (portrait, random) =>
    jpeg((await framed(portrait, random, tilt(40, 65, random))).picture, 85),
  'tilted-80': async (portrait, random) =>
    jpeg((await framed(portrait, random, tilt(65, 92, random))).picture, 85),
  'upside-down': async (portrait, random) =>
    jpeg((await framed(portrait, random, tilt(150, 180, random))).picture, 85),
  covered: async (portrait, random) => {
    const { picture, keypoints } = await framed(portrait, random);
    return jpeg(await painted(picture, cover(keypoints, random)), 85);
  },
  'cut-off': async (portrait, random) => {
    const { box, keypoints } = portrait;
    const [, , nose] = keypoints;
    const width = widthOf(box) * random.between(0.95, 1.3);
    const centre = {
      x: (nose?.x ?? 0) + random.between(-0.12, 0.12) * widthOf(box),
      y: (nose?.y ?? 0) - 0.1 * heightOf(box),
    };
    return jpeg((await framed(portrait, random, { centre, width })).picture, 85);
  },
  close: async (portrait, random) =>
    jpeg((await framed(portrait, random, { share: [0.65, 0.95] })).picture, 85),
  small: async (portrait, random) => {
    const size = random.pick([FRAMES[0], FRAMES[2] ?? FRAMES[0], FRAMES[3] ?? FRAMES[0]]);
    return jpeg((await framed(portrait, random, { share: [0.09, 0.16], size })).picture, 88);
  },
  thumbnail: async (portrait, random) => {
    const side = Math.round(random.between(90, 180));
    return jpeg(
      (await framed(portrait, random, { share: [0.4, 0.6], size: { width: side, height: side } })).picture,
      85,
    );
  },
  grey: async (portrait, random) => {
    const { rgb, ...size } = (await framed(portrait, random)).picture;
    const grey = rgb.map((_, i) => {
      const at = i - (i % 3);
      return 0.3 * (rgb[at] ?? 0) + 0.59 * (rgb[at + 1] ?? 0) + 0.11 * (rgb[at + 2] ?? 0);
    });
    return jpeg({ rgb: grey, ...size }, 85);
  },
  'poor-jpeg': async (portrait, random) =>
    jpeg((await framed(portrait, random)).picture, Math.round(random.between(5, 18))),
  exif: async (portrait, random) =>
    storedLying((await framed(portrait, random)).picture, random.pick([3, 6, 8] as const)),
  blurred: async (portrait, random) => {
    const { picture, face } = await framed(portrait, random);
    return jpeg(await blurred(picture, face * random.between(0.012, 0.022)), 85);
  },
  coarse: async (portrait, random) => {
    const { picture, face } = await framed(portrait, random);
    return jpeg(await coarse(picture, Math.min(1, random.between(36, 56) / face)), 85);
  },
  noisy: async (portrait, random) =>
    jpeg(noisy((await framed(portrait, random)).picture, random, random.between(14, 26)), 85),
  fog: async (portrait, random) => {
    const contrast = random.between(0.25, 0.45);
    return jpeg(
      mapped((await framed(portrait, random)).picture, (value) => 165 + (value - 128) * contrast),
      85,
    );
  },
  tinted: async (portrait, random) => {
    const colour = random.pick<Colour>([
      [1.2, 0.8, 0.5],
      [0.6, 0.9, 1.25],
      [0.75, 1.1, 0.75],
    ]);
    return jpeg(tinted((await framed(portrait, random)).picture, colour), 85);
  },
};

/** A head tilted to either side, between so many degrees. */
function tilt(from: number, to: number, random: Random): { turn: number } {
  return { turn: degrees(random.between(from, to)) * random.pick([1, -1]) };
}
