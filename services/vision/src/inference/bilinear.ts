/** Square views of a picture by one bilinear sample per pixel, in 8-bit fixed point. */
import type { Point } from '@karaar/faces/geometry';
import type { Picture } from './picture.ts';

/** How a view lies on the picture, in its pixels: its first sample, and the steps to the next column and row. */
export interface Grid {
  start: Point;
  along: Point;
  down: Point;
}

/**
 * @param out where to write the view's pixels, interleaved RGB: side² × 3 bytes; beyond the picture its border repeats
 */
export function sampleGrid(
  { rgb, width, height }: Picture,
  { start, along, down }: Grid,
  side: number,
  out: Uint8Array,
): void {
  const [maxX, maxY, stride] = [width - 1, height - 1, width * 3];
  let o = 0;
  // The loops below run over every pixel; their indices stay inside by construction.
  for (let row = 0; row < side; row++) {
    const rowX = start.x + row * down.x;
    const rowY = start.y + row * down.y;
    for (let column = 0; column < side; column++) {
      const x = Math.min(maxX, Math.max(0, rowX + column * along.x));
      const y = Math.min(maxY, Math.max(0, rowY + column * along.y));
      const x0 = x | 0;
      const y0 = y | 0;
      const tx = ((x - x0) * 256) | 0;
      const ty = ((y - y0) * 256) | 0;
      const at = y0 * stride + x0 * 3;
      const right = x0 < maxX ? at + 3 : at;
      const below = y0 < maxY ? stride : 0;
      const a = (256 - tx) * (256 - ty);
      const b = tx * (256 - ty);
      const c = (256 - tx) * ty;
      const d = tx * ty;
      for (let channel = 0; channel < 3; channel++) {
        const upper = (rgb[at + channel] as number) * a + (rgb[right + channel] as number) * b;
        const lower =
          (rgb[at + below + channel] as number) * c + (rgb[right + below + channel] as number) * d;
        out[o++] = (upper + lower + 32768) >> 16;
      }
    }
  }
}
