import type { Raster } from '../pdfium.ts';
import type { Box } from '../values.ts';

/** How one page differs between two pictures of the same renderer, in pixels. */
export interface Difference {
  /** Of the source, with nothing like it in the copy within a few pixels: something is gone, or hidden. */
  lost: number;
  /** Of the copy, with nothing like it in the source within a few pixels. */
  added: number;
  /** Of either, with nothing like it in the other one right beside it. */
  changed: number;
}

/** Pages are compared at this size: small letters are still told apart, and a page is drawn within 50 ms. */
const COMPARED_DPI = 77;
/** Larger pages than A2 are drawn smaller, to this many pixels. */
const LARGEST_SIDE = 1800;

/** What a page is scaled by to be compared, for a file whose longest page has this many points. */
export function comparedDpi(longestSide: number): number {
  return Math.min(COMPARED_DPI, (LARGEST_SIDE / Math.max(longestSide, 1)) * 72);
}

/** The largest difference of a channel that two pictures of the same thing may have (of 255). */
const SAME = 72;
/** Two renderers place the text of a field at slightly different heights: what moved so far is not lost. */
const MOVED = 6;

/** Nothing more is learned from counting on. */
const ENOUGH = 5000;

export const GONE: Difference = { lost: Infinity, added: Infinity, changed: Infinity };

/**
 * Compares two pictures of a page; of other sizes than each other they have nothing in common.
 *
 * @param redrawn areas, as shares of the page, in which a viewer may put things as it likes, as long as it puts something
 */
export function differenceOf(source: Raster, copy: Raster, redrawn: readonly Box[] = []): Difference {
  if (source.width !== copy.width || source.height !== copy.height) return { ...GONE };
  const found = { lost: 0, added: 0, changed: 0 };
  if (source.data.equals(copy.data)) return found;
  const free = redrawn.map((area) => pixelsOf(area, copy)).filter((area) => hasInk(copy, area));
  const isFree = (x: number, y: number): boolean =>
    free.some(([x0, y0, x1, y1]) => x >= x0 && x < x1 && y >= y0 && y < y1);
  for (let y = 0; y < source.height && found.lost < ENOUGH; y += 1) {
    for (let x = 0; x < source.width; x += 1) {
      if (isLike(source, x, y, copy, x, y) || isFree(x, y)) continue;
      const kept = isNear(source, x, y, copy, 1);
      const known = isNear(copy, x, y, source, 1);
      if (!kept || !known) found.changed += 1;
      if (!known && !isNear(copy, x, y, source, MOVED)) found.added += 1;
      if (!kept && !isNear(source, x, y, copy, MOVED)) found.lost += 1;
    }
  }
  return found;
}

/** Whether anything is on the page, or in a part of it: a few pixels that are not white. */
export function hasInk(
  picture: Raster | undefined,
  [x0, y0, x1, y1]: Box = [0, 0, picture?.width ?? 0, picture?.height ?? 0],
): boolean {
  let found = 0;
  for (let y = y0; picture && y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) {
      const at = (y * picture.width + x) * 4;
      const darkest = Math.min(picture.data[at] ?? 0, picture.data[at + 1] ?? 0, picture.data[at + 2] ?? 0);
      if (darkest < 255 - SAME && ++found >= 4) return true;
    }
  }
  return false;
}

/** An area with a margin for what stands a little over its edge, within the picture. */
function pixelsOf([x0, y0, x1, y1]: Box, { width, height }: Raster): Box {
  return [
    Math.max(0, Math.floor(x0 * width) - MOVED),
    Math.max(0, Math.floor(y0 * height) - MOVED),
    Math.min(width, Math.ceil(x1 * width) + MOVED),
    Math.min(height, Math.ceil(y1 * height) + MOVED),
  ];
}

/** Pixels of `one` that have nothing like them in `other`; both may be of slightly different sizes. */
export function lostBetween(one: Raster, other: Raster): number {
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)];
  let lost = 0;
  for (let y = 0; y < height && lost < ENOUGH; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isLike(one, x, y, other, x, y) && !isNear(one, x, y, other, MOVED)) lost += 1;
    }
  }
  return lost;
}

/** Whether the pixel of `one` is in `other` within `reach` pixels. */
function isNear(one: Raster, x: number, y: number, other: Raster, reach: number): boolean {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const [ox, oy] = [x + dx, y + dy];
      if (ox < 0 || oy < 0 || ox >= other.width || oy >= other.height) continue;
      if (isLike(one, x, y, other, ox, oy)) return true;
    }
  }
  return false;
}

function isLike(one: Raster, x: number, y: number, other: Raster, ox: number, oy: number): boolean {
  const a = (y * one.width + x) * 4;
  const b = (oy * other.width + ox) * 4;
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs((one.data[a + channel] ?? 0) - (other.data[b + channel] ?? 0)) > SAME) return false;
  }
  return true;
}
