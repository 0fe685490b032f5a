/** Decoding and resizing, by sharp: upright RGB pictures of bounded size out of untrusted files. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Fit } from '@karaar/faces/detection';
import type { Size } from '@karaar/faces/geometry';
import { reduceTo } from './resample.ts';

/** Interleaved red, green, blue. */
export interface Picture extends Size {
  rgb: Uint8Array;
}

/** Pictures up to this long side are looked at as they are. */
const MAX_SIDE = 1280;
/**
 * Larger ones are brought down to this: enough for a face, and for an eye in it. A phone's 4000 pixels are
 * four times this, and a JPEG is decoded at a quarter in a fraction of the time.
 */
const REDUCED_LONG_SIDE = 1000;
/** 50 megapixels: what phone cameras deliver at most. A file that claims more is not decoded. */
const MAX_PIXELS = 50_000_000;

/** One still picture per file; what else libvips can read is not let near it. */
const SIGNATURES: readonly { format: string; at: number; bytes: string }[] = [
  { format: 'jpeg', at: 0, bytes: 'ffd8ff' },
  { format: 'png', at: 0, bytes: '89504e470d0a1a0a' },
  { format: 'webp', at: 8, bytes: '57454250' },
];

// A long-running service gains nothing from libvips' operation cache: every picture comes once.
sharp.cache(false);
sharp.concurrency(1);

/** Why a file cannot be read as a picture. Its message never quotes the file. */
export class UnreadablePicture extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'UnreadablePicture';
  }
}

/**
 * Decodes a JPEG, PNG or WebP: upright by its EXIF orientation, transparency on white, at most 1280
 * pixels on its long side.
 * @throws UnreadablePicture for anything else, a truncated file, an animation, too many pixels
 */
export async function decodePicture(file: Uint8Array): Promise<Picture> {
  const format = signatureOf(file);
  if (!format) throw new UnreadablePicture('Not a JPEG, PNG or WebP file');
  try {
    // Colour profiles change shades, not faces, and cost more than all the rest.
    const image = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', ignoreIcc: true });
    const metadata = await image.metadata();
    if (metadata.format !== format) throw new UnreadablePicture('Not the format it starts as');
    if ((metadata.pages ?? 1) > 1) throw new UnreadablePicture('An animation, not a still picture');
    const upright = image.autoOrient();
    const large = Math.max(metadata.width, metadata.height) > MAX_SIDE;
    const sized = large ? upright.resize(REDUCED_LONG_SIDE, REDUCED_LONG_SIDE, { fit: 'inside' }) : upright;
    const { data, info } = await (isPlain(metadata) ? sized : plain(sized))
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw new UnreadablePicture('Not a colour picture');
    return { rgb: data, width: info.width, height: info.height };
  } catch (error) {
    // sharp has one kind of error for whatever a file makes it stumble over.
    throw error instanceof UnreadablePicture
      ? error
      : new UnreadablePicture('The file cannot be decoded', error);
  }
}

/** Three channels of eight bits already, as nearly every photo is: each conversion costs a pass over all pixels. */
function isPlain({ space, depth, channels, hasAlpha }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && channels === 3 && !hasAlpha;
}

const plain = (image: Sharp): Sharp =>
  image.flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha();

function signatureOf(file: Uint8Array): string | undefined {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 16));
  return SIGNATURES.find(({ at, bytes }) => start.toString('hex', at, at + bytes.length / 2) === bytes)
    ?.format;
}

/** Long side of the reduced picture that both detectors' inputs are made from, and that close-ups are looked at in. */
export const REDUCED_SIDE = 288;

const copies = new WeakMap<Picture, Map<number, Promise<Picture>>>();

/** The picture with a long side of so many pixels, made once: whoever asks first starts it. */
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

/** A smaller copy, so that the two letterboxes need not both read the whole picture. */
export function reduce(picture: Picture): Promise<Picture> {
  return copyOf(picture, Math.min(REDUCED_SIDE, Math.max(picture.width, picture.height)));
}

/**
 * The picture fitted into a black square of `size` pixels, centred, with the numbers of the fit.
 * @param original what the fit refers to: the picture that `picture` is a smaller copy of
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

/** Up to this long side a picture is made smaller on this thread: calling libvips costs more than the work. */
const SMALL = 384;

/** The picture stretched to a size; itself when it has that size. */
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
