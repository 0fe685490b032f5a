/** Square views of a picture with one bilinear sample per pixel, in 8-bit fixed point. */
import type { Point } from '@karaar/faces/geometry';
import type { Picture } from './picture.ts';

/**
 * Position of a view in pixels of the picture: its first sample, and the steps to the next column and row.
 */
export interface Grid {
  start: Point;
  along: Point;
  down: Point;
}

/**
 * @param out receives the view's pixels, interleaved RGB: side² × 3 bytes. Outside the picture its border
 * repeats.
 */
export function sampleGrid(picture: Picture, grid: Grid, side: number, out: Uint8Array): void {
  if (grid.along.y === 0 && grid.down.x === 0) sampleUpright(picture, grid, side, out);
  else sampleTurned(picture, grid, side, out);
}

// The loops below run over every pixel; their indices are within bounds by construction. Positions are in
// 256ths of a pixel.
const SHIFT = 8;
const ONE = 1 << SHIFT;
const FRACTION = ONE - 1;

/** Clamps a position along one side of the picture; `last` is the position of its last pixel. */
function placeOf(exact: number, last: number): number {
  const place = (exact * ONE) | 0;
  return place < 0 ? 0 : place > last ? last : place;
}

const edgesOf = ({ rgb, width, height }: Picture) => ({
  rgb,
  lastX: (width - 1) * ONE,
  lastY: (height - 1) * ONE,
  stride: width * 3,
});

function sampleTurned(picture: Picture, { start, along, down }: Grid, side: number, out: Uint8Array): void {
  const { rgb, lastX, lastY, stride } = edgesOf(picture);
  let o = 0;
  for (let row = 0; row < side; row++) {
    const rowX = start.x + row * down.x;
    const rowY = start.y + row * down.y;
    for (let column = 0; column < side; column++, o += 3) {
      const x = placeOf(rowX + column * along.x, lastX);
      const y = placeOf(rowY + column * along.y, lastY);
      const at = (y >> SHIFT) * stride + (x >> SHIFT) * 3;
      const below = y < lastY ? at + stride : at;
      mix(rgb, at, below, x < lastX ? 3 : 0, x & FRACTION, y & FRACTION, out, o);
    }
  }
}

/** All rows of an upright view use the same columns, so their positions are computed once. */
function sampleUpright(picture: Picture, { start, along, down }: Grid, side: number, out: Uint8Array): void {
  const { rgb, lastX, lastY, stride } = edgesOf(picture);
  const columns = new Int32Array(side);
  for (let column = 0; column < side; column++) columns[column] = placeOf(start.x + column * along.x, lastX);
  let o = 0;
  for (let row = 0; row < side; row++) {
    const y = placeOf(start.y + row * down.y, lastY);
    const upper = (y >> SHIFT) * stride;
    const lower = y < lastY ? upper + stride : upper;
    for (let column = 0; column < side; column++, o += 3) {
      const x = columns[column] as number;
      const left = (x >> SHIFT) * 3;
      mix(rgb, upper + left, lower + left, x < lastX ? 3 : 0, x & FRACTION, y & FRACTION, out, o);
    }
  }
}

/**
 * Interpolates one pixel between four: along the upper and the lower row by `tx`, then between them by `ty`,
 * both in 256ths.
 * @param at offset of the upper left pixel; `below` is that of the lower left one
 */
function mix(
  rgb: Uint8Array,
  at: number,
  below: number,
  toRight: number,
  tx: number,
  ty: number,
  out: Uint8Array,
  o: number,
): void {
  const right = at + toRight;
  const belowRight = below + toRight;
  out[o] = between(rgb[at], rgb[right], rgb[below], rgb[belowRight], tx, ty);
  out[o + 1] = between(rgb[at + 1], rgb[right + 1], rgb[below + 1], rgb[belowRight + 1], tx, ty);
  out[o + 2] = between(rgb[at + 2], rgb[right + 2], rgb[below + 2], rgb[belowRight + 2], tx, ty);
}

// Typed arrays return `number | undefined`; these indices are all within the picture.
type Value = number | undefined;

function between(a: Value, b: Value, c: Value, d: Value, tx: number, ty: number): number {
  const upper = ((a as number) << 8) + Math.imul((b as number) - (a as number), tx);
  const lower = ((c as number) << 8) + Math.imul((d as number) - (c as number), tx);
  return ((upper << 8) + Math.imul(lower - upper, ty) + 32768) >> 16;
}
