/** Decodes untrusted files with sharp to upright RGB pictures of bounded size. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import type { Size } from '@karaar/faces/geometry';

export interface Picture extends Size {
  rgb: Uint8Array;
}

const MAX_SIDE = 1280;
/**
 * Larger pictures are reduced to this size, which is enough for a face and its eyes. A phone's 4000 pixels
 * are four times this, and decoding a JPEG at a quarter of its size is fast.
 */
const REDUCED_LONG_SIDE = 1000;
/** 50 megapixels, the most that phone cameras deliver. A file that claims more is not decoded. */
const MAX_PIXELS = 50_000_000;

/** Only these formats reach libvips, which could decode many more. */
const SIGNATURES: readonly { format: string; at: number; bytes: string }[] = [
  { format: 'jpeg', at: 0, bytes: 'ffd8ff' },
  { format: 'png', at: 0, bytes: '89504e470d0a1a0a' },
  { format: 'webp', at: 8, bytes: '57454250' },
];

// Every picture comes only once, so libvips' operation cache is useless here.
sharp.cache(false);
sharp.concurrency(1);

/** The reason why a file is not a readable picture. Its message never quotes the file. */
export class UnreadablePicture extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, { cause });
    this.name = 'UnreadablePicture';
  }
}

/**
 * Decodes a JPEG, PNG or WebP: upright by its EXIF orientation, transparency on white, at most 1280 pixels on
 * its long side.
 * @throws UnreadablePicture for any other format, a truncated file, an animation, or too many pixels
 */
export async function decodePicture(file: Uint8Array): Promise<Picture> {
  const format = signatureOf(file);
  if (!format) throw new UnreadablePicture('Not a JPEG, PNG or WebP file');
  try {
    // Colour profiles change shades but not faces, and cost more time than all the rest.
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
    // sharp throws the same kind of error for every broken file.
    throw error instanceof UnreadablePicture
      ? error
      : new UnreadablePicture('The file cannot be decoded', error);
  }
}

/** Nearly every photo already has three 8-bit channels, and each conversion costs a pass over all pixels. */
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
