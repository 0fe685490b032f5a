import type { Raster } from '../pdfium.ts';
import type { Box } from '../values.ts';

/** The differences between two pictures of a page by the same renderer, in pixels. */
export interface Difference {
  /** Pixels of the source without a match in the copy within a few pixels: something is missing or hidden. */
  lost: number;
  /** Pixels of the copy without a match in the source within a few pixels. */
  added: number;
  /** Pixels of either picture without a match directly next to them in the other. */
  changed: number;
}

/**
 * Pages are compared at this resolution: small letters remain distinct, and drawing takes less than 50 ms.
 */
const COMPARED_DPI = 77;
/** Pages larger than A2 are scaled down to this many pixels. */
const LARGEST_SIDE = 1800;

/** Returns the resolution for comparing a file whose longest page side has this many points. */
export function comparedDpi(longestSide: number): number {
  return Math.min(COMPARED_DPI, (LARGEST_SIDE / Math.max(longestSide, 1)) * 72);
}

/** The largest difference of a channel between two pictures of the same thing (of 255). */
const SAME = 72;
/** Renderers place field text at slightly different heights: text that moved this far is not lost. */
const MOVED = 6;

/** The result is clear at this count. */
const ENOUGH = 5000;

export const GONE: Difference = { lost: Infinity, added: Infinity, changed: Infinity };

/**
 * Compares two pictures of a page; pictures of different sizes do not match at all.
 * @param redrawn areas, as fractions of the page, whose drawing may differ but must not be empty
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

/** Returns true if a page or an area has more than a few pixels that are not white. */
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

/** Returns an area with a margin for drawings slightly past its edge, within the picture. */
function pixelsOf([x0, y0, x1, y1]: Box, { width, height }: Raster): Box {
  return [
    Math.max(0, Math.floor(x0 * width) - MOVED),
    Math.max(0, Math.floor(y0 * height) - MOVED),
    Math.min(width, Math.ceil(x1 * width) + MOVED),
    Math.min(height, Math.ceil(y1 * height) + MOVED),
  ];
}

/** Counts the pixels of `one` without a match in `other`; their sizes may differ slightly. */
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

/** Returns true if `other` has a similar pixel within `reach` pixels. */
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
