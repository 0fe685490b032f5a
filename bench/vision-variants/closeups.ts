/** Close-ups of one eye or both, open as they are or with the lid drawn down. */
import { boundsOf, distance, type Point, type Size } from '@karaar/faces/geometry';
import { LID_POINTS } from '@karaar/service-vision/features/validation/eye';
import type { Picture } from '@karaar/service-vision/inference/picture';
import { bilinear, blurred, coarse, cutOut, jpeg, mapped, middleOf, noisy, painted } from './canvas.ts';
import type { Portrait, Variant } from './faces.ts';
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

/**
 * The upper lid drawn down over an eye: the skin between brow and lid stretched to where the lower lid is, and a
 * line of lashes along it.
 */
async function closed(picture: Picture, contour: readonly Point[], random: Random): Promise<Picture> {
  const lids = contour.slice(0, LID_POINTS);
  const lower = lids.slice(0, 9).sort((a, b) => a.x - b.x);
  const upper = [...lids.slice(8), lids[0] as Point].sort((a, b) => a.x - b.x);
  const { left, right } = boundsOf(lids);
  const width = right - left;
  const [low, high] = [lineThrough(lower), lineThrough(upper)];
  const down = random.between(0.9, 1.04);
  const rgb = new Uint8Array(picture.rgb);
  for (let x = Math.ceil(left - width * 0.08); x < right + width * 0.08; x++) {
    const at = Math.min(right, Math.max(left, x));
    // A little beyond the drawn lines: they run inside the lashes.
    const [upperY, lowerY] = [high(at) - width * 0.045, low(at) + width * 0.03];
    const closedY = upperY + (lowerY - upperY) * down;
    const brow = upperY - width * 0.24;
    for (let y = Math.floor(brow); y < closedY; y++) {
      const from = brow + ((y - brow) * (upperY - brow)) / Math.max(1, closedY - brow);
      const o = (y * picture.width + x) * 3;
      if (o >= 0 && o + 2 < rgb.length) bilinear(picture, x, from, rgb, o);
    }
  }
  const line = lower.map(({ x, y }) => `${x},${y + width * 0.03 - (1 - down) * width * 0.2}`).join(' ');
  const lashes = `<polyline points="${line}" fill="none" stroke="#1c1210" stroke-opacity="${random.between(0.35, 0.9)}" stroke-width="${width * random.between(0.02, 0.06)}" stroke-linecap="round"/>`;
  return painted({ ...picture, rgb }, lashes);
}

function lineThrough(points: readonly Point[]): (x: number) => number {
  return (x) => {
    const right = points.find((point) => point.x >= x) ?? points.at(-1);
    const left = points.findLast((point) => point.x <= x) ?? points[0];
    if (!left || !right) throw new Error('A lid has points');
    if (right.x === left.x) return right.y;
    return left.y + ((x - left.x) / (right.x - left.x)) * (right.y - left.y);
  };
}

/** @param both whether the close-up is of both eyes, or of one */
async function closeup(
  portrait: Portrait,
  random: Random,
  { both, shut }: { both: boolean; shut: boolean },
): Promise<Buffer> {
  const pair = eyesOf(portrait);
  const wanted = both ? pair : [random.pick(pair as [readonly Point[], ...(readonly Point[])[]])];
  let source = portrait.picture;
  if (shut) for (const eye of pair) source = await closed(source, eye, random);
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

export const OPEN: Record<string, Variant> = {
  one: (portrait, random) => closeup(portrait, random, { both: false, shut: false }),
  both: (portrait, random) => closeup(portrait, random, { both: true, shut: false }),
};

export const CLOSED: Record<string, Variant> = {
  one: (portrait, random) => closeup(portrait, random, { both: false, shut: true }),
  both: (portrait, random) => closeup(portrait, random, { both: true, shut: true }),
};
