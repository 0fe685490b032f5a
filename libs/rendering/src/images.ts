import { portraitCut, type FaceBox } from '@karaar/faces/portrait';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from './errors.ts';
import type { RenderLimits } from './types.ts';

/** An image ready to become a PDF image object without another decode. */
export interface PageImage {
  /** `jpeg`: a whole JPEG file. `png`: a non-interlaced 8-bit PNG without alpha. */
  format: 'jpeg' | 'png';
  bytes: Uint8Array;
  width: number;
  height: number;
  /** Components per pixel: 1 grey, 3 RGB. */
  channels: 1 | 3;
}

type ImageLimits = Pick<RenderLimits, 'imagePixels'>;

const SECONDS = 20;

/** The longest side kept: 300 dpi on A4. More is not visible in print and only makes the file big. */
const MAX_SIDE = 3508;

/**
 * Decode an uploaded image and make it a page image: upright by its EXIF orientation, in sRGB or grey, on
 * white where it was transparent, without metadata (a photo's GPS position does not belong in an agreement).
 * Photos stay JPEG; everything else stays lossless. Throws `image_broken` or `too_large`.
 */
export async function toPageImage(name: string, bytes: Uint8Array, limits: ImageLimits): Promise<PageImage> {
  return guarded(name, async () => {
    const source = open(bytes, limits);
    const meta = await source.metadata();
    const lossy = meta.format === 'jpeg' || meta.format === 'webp' || meta.format === 'heif';
    const upright = source
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace(meta.space === 'b-w' ? 'b-w' : 'srgb');
    const encoded = lossy
      ? upright.jpeg({ quality: 88, chromaSubsampling: '4:4:4', mozjpeg: false })
      : upright.png({ compressionLevel: 9, palette: false, progressive: false });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    const channels = info.channels === 1 ? 1 : 3;
    return { format: lossy ? 'jpeg' : 'png', bytes: data, width: info.width, height: info.height, channels };
  });
}

/** Pixels of the longest side of the small copy by which an image is probed: every byte is decoded, little is kept. */
const PROBE_SIDE = 400;

/**
 * Find out whether an image decodes whole. Throws `image_broken` or `too_large`.
 *
 * sharp's `stats()` does not do here: of a JPEG cut in the middle it reports figures in about one call of six.
 */
export async function probeImage(name: string, bytes: Uint8Array, limits: ImageLimits): Promise<void> {
  await pixelsOf(name, bytes, { side: PROBE_SIDE, limits });
}

/** An image as it looks on white paper: RGB, three bytes per pixel, row by row. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/**
 * Decode an image whole and bring it to pixels, on white, `side` pixels long at most, blurred by `blur` (sigma).
 * Throws `image_broken` or `too_large`.
 */
export async function pixelsOf(
  name: string,
  bytes: Uint8Array,
  { side, blur = 0, limits }: { side: number; blur?: number; limits: ImageLimits },
): Promise<Pixels> {
  return guarded(name, async () => {
    const small = open(bytes, limits)
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .removeAlpha();
    const { data, info } = await (blur > 0 ? small.blur(blur) : small)
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  });
}

/** The frame of a photo on the signature page, and what is seen where the photo does not fill it. */
const FRAME = { width: 400, height: 494 };
const FRAME_GROUND = '#EFEAE0';

/** A person's photo as a data: URL, upright: its face in the frame of the signature page, or all of it where no face is known. */
export async function photoUrl(
  name: string,
  bytes: Uint8Array,
  face: FaceBox | null,
  limits: ImageLimits,
): Promise<string> {
  return guarded(name, async () => {
    const photo = face ? await cutToFace(bytes, face, limits) : open(bytes, limits).autoOrient();
    const jpeg = photo
      .resize({ ...FRAME, fit: 'contain', background: FRAME_GROUND })
      .flatten({ background: FRAME_GROUND })
      .toColourspace('srgb')
      .jpeg({ quality: 84 });
    return `data:image/jpeg;base64,${(await jpeg.toBuffer()).toString('base64')}`;
  });
}

async function cutToFace(bytes: Uint8Array, face: FaceBox, limits: ImageLimits): Promise<Sharp> {
  const { autoOrient: size } = await open(bytes, limits).metadata();
  const cut = portraitCut(face, size, FRAME.width / FRAME.height);
  const left = Math.max(0, Math.floor(cut.left));
  const top = Math.max(0, Math.floor(cut.top));
  return open(bytes, limits)
    .autoOrient()
    .extract({
      left,
      top,
      width: Math.min(size.width - left, Math.ceil(cut.width)),
      height: Math.min(size.height - top, Math.ceil(cut.height)),
    });
}

/** A drawn signature as a data: URL, its empty margin cut off, transparent where it was. */
export async function signatureUrl(name: string, bytes: Uint8Array, limits: ImageLimits): Promise<string> {
  return guarded(name, async () => {
    const drawn = await open(bytes, limits).autoOrient().toColourspace('srgb').png().toBuffer();
    const cut = await sharp(drawn)
      .trim({ threshold: 12 })
      .toBuffer()
      .catch(() => drawn); // an even area has nothing to trim to; it is drawn as it is
    const png = await sharp(cut)
      .resize({ width: 1000, height: 240, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer();
    return `data:image/png;base64,${png.toString('base64')}`;
  });
}

function open(bytes: Uint8Array, limits: ImageLimits): Sharp {
  return sharp(bytes, { limitInputPixels: limits.imagePixels, failOn: 'error', pages: 1 }).timeout({
    seconds: SECONDS,
  });
}

async function guarded<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : '';
    if (message.includes('pixel limit')) {
      throw new RenderError('too_large', `The image "${name}" has too many pixels.`, { file: name, cause });
    }
    throw new RenderError(
      'image_broken',
      `The image "${name}" cannot be read. Please save it again and upload it.`,
      {
        file: name,
        cause,
      },
    );
  }
}
