/** The turned square around a face as the 192 × 192 input of the landmark models. */
import sharp from 'sharp';
import { REGION_INPUT, type Region } from '../features/validation/region.ts';
import type { Picture } from './picture.ts';

/** A part of the picture, brought down in size: `place on the part = (place on the picture − origin) × scale`. */
interface Part extends Picture {
  originX: number;
  originY: number;
  scaleX: number;
  scaleY: number;
}

/** Up to this reduction single samples are enough; beyond it libvips averages first, far quicker than JS. */
const MAX_DIRECT_REDUCTION = 1.25;

/** The region's pixels, interleaved RGB; beyond the picture its border repeats. */
export async function cropRegion(picture: Picture, region: Region): Promise<Uint8Array> {
  const reduction = region.side / REGION_INPUT;
  const part =
    reduction > MAX_DIRECT_REDUCTION
      ? await reducedPart(picture, region, reduction)
      : { ...picture, originX: 0, originY: 0, scaleX: 1, scaleY: 1 };
  return sample(part, region);
}

/** The part of the picture under the region, with a pixel of margin, at the scale of the input. */
async function reducedPart(picture: Picture, region: Region, reduction: number): Promise<Part> {
  const reach =
    (region.side / 2) * (Math.abs(Math.cos(region.turn)) + Math.abs(Math.sin(region.turn))) + reduction;
  const [left, right] = range(region.centre.x, reach, picture.width);
  const [top, bottom] = range(region.centre.y, reach, picture.height);
  const [width, height] = [right - left, bottom - top];
  const [newWidth, newHeight] = [Math.ceil(width / reduction), Math.ceil(height / reduction)];
  // The default kernel (Lanczos) keeps the sharpness that the blur rule measures.
  const rgb = await sharp(picture.rgb, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .extract({ left, top, width, height })
    .resize(newWidth, newHeight, { fit: 'fill' })
    .raw()
    .toBuffer();
  return {
    rgb,
    width: newWidth,
    height: newHeight,
    originX: left,
    originY: top,
    scaleX: newWidth / width,
    scaleY: newHeight / height,
  };
}

/** From centre − reach to centre + reach, on the picture and at least one pixel long. */
function range(centre: number, reach: number, length: number): [from: number, to: number] {
  const from = Math.min(length - 1, Math.max(0, Math.floor(centre - reach)));
  return [from, Math.max(from + 1, Math.min(length, Math.ceil(centre + reach)))];
}

/** One bilinear sample per pixel of the input, in 8-bit fixed point. */
function sample(part: Part, region: Region): Uint8Array {
  const { rgb, width, height } = part;
  const out = new Uint8Array(REGION_INPUT * REGION_INPUT * 3);
  const step = region.side / REGION_INPUT;
  const cos = Math.cos(region.turn) * step;
  const sin = Math.sin(region.turn) * step;
  const [alongX, alongY] = [cos * part.scaleX, sin * part.scaleY];
  const [downX, downY] = [-sin * part.scaleX, cos * part.scaleY];
  const startX = (region.centre.x - part.originX) * part.scaleX - 0.5;
  const startY = (region.centre.y - part.originY) * part.scaleY - 0.5;
  const [maxX, maxY, stride] = [width - 1, height - 1, width * 3];
  const first = 0.5 - REGION_INPUT / 2;
  let o = 0;
  for (let row = 0; row < REGION_INPUT; row++) {
    const rowX = startX + (row + first) * downX + first * alongX;
    const rowY = startY + (row + first) * downY + first * alongY;
    for (let column = 0; column < REGION_INPUT; column++) {
      const x = Math.min(maxX, Math.max(0, rowX + column * alongX));
      const y = Math.min(maxY, Math.max(0, rowY + column * alongY));
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
  return out;
}
