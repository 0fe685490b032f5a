import sharp from 'sharp';
import { REGION_INPUT, type Region } from '../rules/region.ts';
import { sampleGrid } from './bilinear.ts';
import type { Picture } from './picture.ts';

/** A scaled part of the picture: `position on the part = (position on the picture − origin) × scale`. */
interface Part extends Picture {
  originX: number;
  originY: number;
  scaleX: number;
  scaleY: number;
}

/**
 * Up to this reduction, single samples are enough; beyond it libvips averages first, far faster than
 * JavaScript.
 */
const MAX_DIRECT_REDUCTION = 1.25;

/** Returns the region's pixels, interleaved RGB. Outside the picture its border repeats. */
export async function cropRegion(picture: Picture, region: Region): Promise<Uint8Array> {
  const reduction = region.side / REGION_INPUT;
  const part =
    reduction > MAX_DIRECT_REDUCTION
      ? await reducedPart(picture, region, reduction)
      : { ...picture, originX: 0, originY: 0, scaleX: 1, scaleY: 1 };
  return sample(part, region);
}

/** Returns the part of the picture under the region, with a margin of one pixel, at the input's scale. */
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

/** Returns centre − reach to centre + reach, clamped to the picture and at least one pixel long. */
function range(centre: number, reach: number, length: number): [from: number, to: number] {
  const from = Math.min(length - 1, Math.max(0, Math.floor(centre - reach)));
  return [from, Math.max(from + 1, Math.min(length, Math.ceil(centre + reach)))];
}

function sample(part: Part, { side, turn, centre }: Region): Uint8Array {
  const out = new Uint8Array(REGION_INPUT * REGION_INPUT * 3);
  const step = side / REGION_INPUT;
  const [cos, sin] = [Math.cos(turn) * step, Math.sin(turn) * step];
  const along = { x: cos * part.scaleX, y: sin * part.scaleY };
  const down = { x: -sin * part.scaleX, y: cos * part.scaleY };
  const first = 0.5 - REGION_INPUT / 2;
  const start = {
    x: (centre.x - part.originX) * part.scaleX - 0.5 + first * (along.x + down.x),
    y: (centre.y - part.originY) * part.scaleY - 0.5 + first * (along.y + down.y),
  };
  sampleGrid(part, { start, along, down }, REGION_INPUT, out);
  return out;
}
