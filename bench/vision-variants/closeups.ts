/** Close-ups of one eye or both, open as they are or with the lid drawn down. */
import { boundsOf, distance, type Point, type Size } from '@karaar/faces/geometry';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { blurred, coarse, cutOut, jpeg, mapped, middleOf, noisy } from './canvas.ts';
import { closed, closedWithLashes } from './closed-lids.ts';
import type { Portrait, Variant } from './faces.ts';
import { LOOKS, OPEN_LOOKS, type Look } from './looks.ts';
import type { Random } from './random.ts';

const FORMATS: readonly [Size, ...Size[]] = [
  { width: 4, height: 3 },
  { width: 1, height: 1 },
  { width: 16, height: 9 },
  { width: 3, height: 4 },
  { width: 2, height: 1 },
];
/** Longer sides, small ones as data sets have them and large ones as phones take them. */
const LONGER = [64, 84, 120, 200, 320, 640, 1280] as const;

/** The eyes of a portrait from the left on the picture. */
const eyesOf = ({ eyes }: Portrait): (readonly Point[])[] =>
  [...eyes].sort((a, b) => boundsOf(a).left - boundsOf(b).left);

/** What the close-up is of. */
interface Wanted {
  /** Both eyes or one. */
  both: boolean;
  shut?: (picture: Picture, contour: readonly Point[], random: Random) => Promise<Picture>;
  look?: Look;
}

/** The part of a portrait around its eyes: what is done to eyes need not be done to the rest. */
async function aroundEyes(portrait: Portrait): Promise<Portrait> {
  const region = boundsOf(portrait.eyes.flatMap((eye) => eye.slice(0, LID_POINTS)));
  const width = (region.right - region.left) * 2.4;
  const scale = Math.min(1, 2400 / width);
  const size = { width: Math.round(width * scale), height: Math.round(width * scale) };
  const { picture, place } = await cutOut(
    portrait.picture,
    { centre: middleOf(region), width },
    size,
    [120, 104, 90],
  );
  return {
    ...portrait,
    picture,
    keypoints: portrait.keypoints.map(place),
    eyes: portrait.eyes.map((eye) => eye.map(place)),
  };
}

async function closeup(whole: Portrait, random: Random, { both, shut, look }: Wanted): Promise<Buffer> {
  const plain = await aroundEyes(whole);
  const portrait = look ? await look(plain, random) : plain;
  const pair = eyesOf(portrait);
  const wanted = both ? pair : [random.pick(pair as [readonly Point[], ...(readonly Point[])[]])];
  let source = portrait.picture;
  if (shut) for (const eye of pair) source = await shut(source, eye, random);
  const region = boundsOf(wanted.flatMap((eye) => eye.slice(0, LID_POINTS)));
  const eyeWidth = distance(wanted[0]?.[0] as Point, wanted[0]?.[8] as Point);
  const format = random.pick(FORMATS);
  const longer = Math.max(both ? 120 : 0, random.pick(LONGER));
  const unit = longer / Math.max(format.width, format.height);
  const size = { width: Math.round(format.width * unit), height: Math.round(format.height * unit) };
  const share = both ? random.between(0.6, 0.92) : random.between(0.32, 0.78);
  const width = (region.right - region.left) / share;
  const middle = middleOf(region);
  const centre = {
    x: middle.x + random.between(-0.1, 0.1) * (both ? 0.4 : 1) * eyeWidth,
    y: middle.y + random.between(-0.25, 0.25) * eyeWidth,
  };
  const turn = random.between(-0.3, 0.3);
  const { picture } = await cutOut(source, { centre, width, turn }, size, [120, 104, 90]);
  return jpeg(await weathered(picture, random), Math.round(random.between(40, 92)));
}

/** One of the ways in which light and cameras spoil a picture, or none. */
async function weathered(picture: Picture, random: Random): Promise<Picture> {
  switch (
    random.pick(['plain', 'plain', 'dark', 'gamma', 'bright', 'blur', 'noise', 'grey', 'tint', 'coarse'])
  ) {
    case 'dark': {
      const factor = random.between(0.33, 0.7);
      return mapped(picture, (value) => value * factor);
    }
    case 'gamma': {
      const power = random.pick([random.between(0.6, 0.8), random.between(1.3, 2)]);
      return mapped(picture, (value) => 255 * (value / 255) ** power);
    }
    case 'bright': {
      const factor = random.between(1.2, 1.5);
      return mapped(picture, (value) => value * factor);
    }
    case 'blur':
      return blurred(picture, picture.width * random.between(0.004, 0.014));
    case 'noise':
      return noisy(picture, random, random.between(6, 14));
    case 'grey': {
      const { rgb, ...size } = picture;
      return { ...size, rgb: rgb.map((_, i) => rgb[i - (i % 3) + 1] ?? 0) };
    }
    case 'tint': {
      const red = random.between(0.8, 1.2);
      return mapped(picture, (value, _across, _down, channel) => value * ([red, 1, 2 - red][channel] ?? 1));
    }
    case 'coarse':
      return coarse(picture, Math.min(1, random.between(48, 90) / picture.width));
    default:
      return picture;
  }
}

/** Of one eye or both, as chance has it, by people who look so. */
function dressed(looks: Record<string, Look>, shut?: Wanted['shut']): Record<string, Variant> {
  return Object.fromEntries(
    Object.entries(looks).map(([name, look]): [string, Variant] => [
      name,
      (portrait, random) =>
        closeup(portrait, random, { both: random.pick([true, false]), look, ...(shut ? { shut } : {}) }),
    ]),
  );
}

export const OPEN: Record<string, Variant> = {
  one: (portrait, random) => closeup(portrait, random, { both: false }),
  both: (portrait, random) => closeup(portrait, random, { both: true }),
};
export const OPEN_DRESSED = dressed({ ...LOOKS, ...OPEN_LOOKS });

export const CLOSED: Record<string, Variant> = {
  one: (portrait, random) => closeup(portrait, random, { both: false, shut: closed }),
  both: (portrait, random) => closeup(portrait, random, { both: true, shut: closed }),
};
export const CLOSED_DRESSED: Record<string, Variant> = {
  ...dressed(LOOKS, closedWithLashes),
  lashes: (portrait, random) =>
    closeup(portrait, random, { both: random.pick([true, false]), shut: closedWithLashes }),
};
