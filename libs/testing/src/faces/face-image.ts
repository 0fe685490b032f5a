import { createCipheriv, createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { faceSvg, type FaceLook } from './face-drawing.ts';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

export interface FaceImageOptions extends FaceLook {
  /** Frame size in pixels (default 640×480). */
  width?: number;
  height?: number;
  /** Centre of the face as a fraction of the frame (default 0.5, 0.5). */
  x?: number;
  y?: number;
  /** Height of the head from crown to chin as a fraction of the frame's height (default 0.62). */
  size?: number;
  /** Number of faces next to each other (default 1; 0 leaves the empty room). */
  count?: number;
  /** Standard deviation of a Gaussian blur over the whole picture, in pixels (default none). */
  blur?: number;
  /** Factor on every pixel: below 1 is under-exposed, above 1 over-exposed (default 1). */
  exposure?: number;
  /** File format (default 'jpeg', quality 90). */
  format?: ImageFormat;
}

/** Returns an image file of a frame with drawn faces. The same options give the same picture. */
export async function faceImage(options: FaceImageOptions = {}): Promise<Buffer> {
  const { width = 640, height = 480, x = 0.5, y = 0.5, size = 0.62, count = 1 } = options;
  const places = Array.from({ length: count }, (_, i) => ({
    x: width * (count === 1 ? x : (i + 0.5) / count),
    y: height * y,
    headHeight: height * size,
  }));
  let picture = sharp(Buffer.from(faceSvg(width, height, places, options))).removeAlpha();
  if (options.blur) picture = sharp(await picture.png().toBuffer()).blur(options.blur);
  if (options.exposure) picture = sharp(await picture.png().toBuffer()).linear(options.exposure, 0);
  return encode(picture, options.format ?? 'jpeg');
}

/** Returns a picture of one flat colour: no face, no eye. */
export function blankImage(
  options: { width?: number; height?: number; colour?: string; format?: ImageFormat } = {},
): Promise<Buffer> {
  const { width = 640, height = 480, colour = '#b9b2a6', format = 'jpeg' } = options;
  return encode(sharp({ create: { width, height, channels: 3, background: colour } }), format);
}

/** Returns coloured noise: no face, no eye. The same seed gives the same picture. */
export function noiseImage(
  options: { width?: number; height?: number; seed?: number; format?: ImageFormat } = {},
): Promise<Buffer> {
  const { width = 640, height = 480, seed = 1, format = 'png' } = options;
  // The key stream of a cipher is noise that is fast to generate and reproducible.
  const key = createHash('sha256').update(String(seed)).digest();
  const raw = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(width * height * 3));
  return encode(sharp(raw, { raw: { width, height, channels: 3 } }), format);
}

function encode(picture: Sharp, format: ImageFormat): Promise<Buffer> {
  if (format === 'png') return picture.png().toBuffer();
  if (format === 'webp') return picture.webp({ quality: 90 }).toBuffer();
  return picture.jpeg({ quality: 90 }).toBuffer();
}
