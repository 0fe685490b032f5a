/**
 * Small pictures made smaller, as libvips does it, but on this thread: the way to libvips' threads and back takes longer
 * than the work (docs/vision.md). Up to a fourth of the size the result is libvips' to the bit, below that a level off here and there.
 */
import type { Picture } from './picture.ts';

/** How far a kernel reaches at full size, and its weight that far from the middle. */
const KERNELS = {
  linear: { reach: 1, at: (x: number): number => 1 - x },
  lanczos: { reach: 3, at: (x: number): number => (x === 0 ? 1 : sinc(x) * sinc(x / 3)) },
} as const;
export type Kernel = keyof typeof KERNELS;

const sinc = (x: number): number => Math.sin(Math.PI * x) / (Math.PI * x);

/** Weights are told this exactly, and places between two pixels so. */
const ONE = 4_096;
const PHASES = 64;
/** A finer scale for sums, because a weight may be that of several pixels. */
const SHIFT = 16;
const HALF = 1 << (SHIFT - 1);
/** Where a picture becomes smaller than this many times, pixels are averaged in groups first. */
const BEYOND = 2;

/** For each place of the result where its taps begin and their weights, all rows of weights equally long. */
interface Taps {
  starts: Int32Array;
  weights: Int32Array;
  count: number;
}

const known = new Map<string, Taps>();
/** Sizes repeat from photo to photo; more different ones than this start afresh. */
const MAX_KNOWN = 256;

/**
 * The picture at a smaller size, first along its height, then along its width.
 * @throws RangeError when it would become larger
 */
export function reduceTo(picture: Picture, width: number, height: number, kernel: Kernel): Picture {
  if (width > picture.width || height > picture.height)
    throw new RangeError('Pictures are only made smaller');
  const { buffer, byteOffset, byteLength } = picture.rgb;
  // One kind of array throughout: a Buffer is another one to the compiler, which would ask at every pixel.
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

/** One pixel out of a line of them: the first at `at`, each `step` bytes after the one before. */
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
  // All indices stay inside by how taps are made.
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

/** Lanczos goes below black and above white beside edges. */
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

/** Beyond the border its group repeats, so its weight is added there and no tap lies outside. */
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

/** For each place of the result the first that counts for it and the weights from there on, `ONE` in all. */
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
