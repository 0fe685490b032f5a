/**
 * Reduces small pictures like libvips, but on this thread: handing them to libvips' threads takes longer than
 * the work (docs/vision.md). Down to a quarter of the size the result equals libvips' exactly; below that
 * some values differ by one.
 */
import type { Picture } from './picture.ts';

/** Each kernel's reach at full size, and its weight at a distance from the middle. */
const KERNELS = {
  linear: { reach: 1, at: (x: number): number => 1 - x },
  lanczos: { reach: 3, at: (x: number): number => (x === 0 ? 1 : sinc(x) * sinc(x / 3)) },
} as const;
export type Kernel = keyof typeof KERNELS;

const sinc = (x: number): number => Math.sin(Math.PI * x) / (Math.PI * x);

/** Resolution of the weights; PHASES is the resolution of positions between two pixels. */
const ONE = 4_096;
const PHASES = 64;
/** A finer scale for sums, because a weight may be spread over several pixels. */
const SHIFT = 16;
const HALF = 1 << (SHIFT - 1);
/** Pixels are first averaged in groups if the picture shrinks by more than this factor. */
const BEYOND = 2;

/** For each result pixel the first source pixel and the weights; all rows have the same number of weights. */
interface Taps {
  starts: Int32Array;
  weights: Int32Array;
  count: number;
}

const known = new Map<string, Taps>();
/** Sizes repeat from photo to photo; the cache is cleared when it is full. */
const MAX_KNOWN = 256;

/**
 * Returns the picture at a smaller size, reduced first in height, then in width.
 * @throws RangeError for a larger size
 */
export function reduceTo(picture: Picture, width: number, height: number, kernel: Kernel): Picture {
  if (width > picture.width || height > picture.height) throw new RangeError('Pictures can only be reduced');
  const { buffer, byteOffset, byteLength } = picture.rgb;
  // Always a Uint8Array: a mix with Buffer would make the compiled loop slower.
  const rgb = new Uint8Array(buffer, byteOffset, byteLength);
  const stride = picture.width * 3;
  const rows = new Uint8Array(height * stride);
  const down = tapsFor(picture.height, height, kernel);
  for (let y = 0; y < height; y++) {
    const from = (down.starts[y] as number) * stride;
    for (let i = 0; i < stride; i += 3) weigh(rgb, from + i, stride, down, y, rows, y * stride + i);
  }
  const out = new Uint8Array(height * width * 3);
  const along = tapsFor(picture.width, width, kernel);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * stride + (along.starts[x] as number) * 3;
      weigh(rows, from, 3, along, x, out, (y * width + x) * 3);
    }
  }
  return { rgb: out, width, height };
}

/** Computes one weighted pixel from a line of pixels that starts at `at` with a distance of `step` bytes. */
function weigh(
  rgb: Uint8Array,
  at: number,
  step: number,
  { weights, count }: Taps,
  place: number,
  out: Uint8Array,
  o: number,
): void {
  let red = HALF;
  let green = HALF;
  let blue = HALF;
  // All indices are within bounds by the construction of the taps.
  for (let k = place * count, end = k + count; k < end; k++, at += step) {
    const weight = weights[k] as number;
    red += Math.imul(rgb[at] as number, weight);
    green += Math.imul(rgb[at + 1] as number, weight);
    blue += Math.imul(rgb[at + 2] as number, weight);
  }
  out[o] = byteOf(red);
  out[o + 1] = byteOf(green);
  out[o + 2] = byteOf(blue);
}

/** Lanczos overshoots black and white at edges. */
function byteOf(sum: number): number {
  const value = sum >> SHIFT;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function tapsFor(from: number, to: number, kernel: Kernel): Taps {
  const key = `${kernel} ${from} ${to}`;
  const before = known.get(key);
  if (before) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const taps = makeTaps(from, to, kernel);
  known.set(key, taps);
  return taps;
}

/** Outside the border its group repeats, so the group's own taps get that weight. */
function makeTaps(from: number, to: number, kernel: Kernel): Taps {
  const group = Math.max(1, Math.floor(from / to / BEYOND));
  const groups = weightsOf(from / to / group, to, kernel);
  const last = Math.ceil(from / group) - 1;
  const clamped = (place: number): number => Math.min(from - 1, Math.max(0, place));
  const count = Math.min(from, group * Math.max(...groups.map(({ weights }) => weights.length)));
  const starts = Int32Array.from(groups, ({ first }) => Math.min(from - count, clamped(first * group)));
  const all = new Int32Array(to * count);
  groups.forEach(({ first, weights }, i) => {
    weights.forEach((weight, k) => {
      const nearest = Math.min(last, Math.max(0, first + k)) * group;
      for (let place = nearest; place < nearest + group; place++) {
        const tap = i * count + clamped(place) - (starts[i] ?? 0);
        all[tap] = (all[tap] ?? 0) + Math.round((weight * (1 << SHIFT)) / ONE / group);
      }
    });
  });
  return { starts, weights: all, count };
}

/**
 * Returns for each result pixel the first group that counts and the weights from there, which sum up to
 * `ONE`.
 */
function weightsOf(shrink: number, to: number, kernel: Kernel): { first: number; weights: number[] }[] {
  const { reach, at } = KERNELS[kernel];
  const radius = reach * Math.max(1, shrink);
  return Array.from({ length: to }, (_, i) => {
    const middle = Math.round(((i + 0.5) * shrink - 0.5) * PHASES) / PHASES;
    const first = Math.floor(middle - radius) + 1;
    const length = Math.ceil(middle + radius) - first;
    const exact = Array.from({ length }, (_, k) => at((Math.abs(first + k - middle) * reach) / radius));
    const sum = exact.reduce((a, b) => a + b, 0);
    return { first, weights: exact.map((weight) => Math.trunc((weight / sum) * ONE)) };
  });
}
