import type { Fit } from '@karaar/faces/detection';
import type { Size } from '@karaar/faces/geometry';
import sharp from 'sharp';
import type { Picture } from './picture.ts';
import { reduceTo } from './resample.ts';

/** Long side of the reduced picture for the inputs of both detectors and for close-ups. */
export const REDUCED_SIDE = 288;

const copies = new WeakMap<Picture, Map<number, Promise<Picture>>>();

/** Returns the picture with this long side. Copies are cached per picture. */
export function copyOf(picture: Picture, longSide: number): Promise<Picture> {
  const ofPicture = copies.get(picture) ?? new Map<number, Promise<Picture>>();
  copies.set(picture, ofPicture);
  const known = ofPicture.get(longSide);
  if (known) return known;
  const factor = longSide / Math.max(picture.width, picture.height);
  const copy = resize(picture, Math.round(picture.width * factor), Math.round(picture.height * factor));
  ofPicture.set(longSide, copy);
  return copy;
}

/** Returns a smaller copy, so that the two letterboxes need not both read the whole picture. */
export function reduce(picture: Picture): Promise<Picture> {
  return copyOf(picture, Math.min(REDUCED_SIDE, Math.max(picture.width, picture.height)));
}

/**
 * Fits the picture centred into a black square of `size` pixels, and returns the square with the parameters
 * of the fit.
 * @param original the picture that the fit refers to; `picture` is a smaller copy of it
 * @param share of the square that the picture's longer side takes
 */
export async function letterbox(
  picture: Picture,
  original: Size,
  size: number,
  share = 1,
): Promise<{ rgb: Uint8Array; fit: Fit }> {
  const scale = (size * share) / Math.max(original.width, original.height);
  const small = await resize(
    picture,
    Math.round(original.width * scale),
    Math.round(original.height * scale),
  );
  const { width, height } = small;
  const [offsetX, offsetY] = [(size - width) >> 1, (size - height) >> 1];
  const rgb = new Uint8Array(size * size * 3);
  for (let row = 0; row < height; row++) {
    const line = small.rgb.subarray(row * width * 3, (row + 1) * width * 3);
    rgb.set(line, ((row + offsetY) * size + offsetX) * 3);
  }
  return { rgb, fit: { size, scale, offsetX, offsetY } };
}

/**
 * Up to this long side a picture is reduced on this thread, because calling libvips costs more than the work.
 */
const SMALL = 384;

/** Stretches the picture to a size. Returns the same picture if it has that size. */
export async function resize(picture: Picture, newWidth: number, newHeight: number): Promise<Picture> {
  const [width, height] = [Math.max(1, newWidth), Math.max(1, newHeight)];
  if (width === picture.width && height === picture.height) return picture;
  const isSmaller = width <= picture.width && height <= picture.height;
  if (isSmaller && Math.max(picture.width, picture.height) <= SMALL)
    return reduceTo(picture, width, height, 'linear');
  const raw = { width: picture.width, height: picture.height, channels: 3 } as const;
  const rgb = await sharp(picture.rgb, { raw })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
  return { rgb, width, height };
}
