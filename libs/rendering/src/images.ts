import { portraitCut, type FaceBox } from '@karaar/faces/portrait';
import sharp, { type Sharp } from 'sharp';
import { RenderError } from './errors.ts';
import type { RenderLimits } from './types.ts';

/** An image that can become a PDF image object without another decode. */
export interface PageImage {
  /** `jpeg`: a whole JPEG file. `png`: a non-interlaced 8-bit PNG without alpha. */
  format: 'jpeg' | 'png';
  bytes: Uint8Array;
  width: number;
  height: number;
  /** Components per pixel: 1 for grey, 3 for RGB. */
  channels: 1 | 3;
}

type ImageLimits = Pick<RenderLimits, 'imagePixels'>;

const SECONDS = 20;

/** 300 dpi on A4: more is not visible in print and only enlarges the file. */
const MAX_SIDE = 3508;

/**
 * Returns an uploaded image as a page image: upright by its EXIF orientation, in sRGB or grey, on white, and
 * without metadata (an agreement must not carry GPS positions). Photos stay JPEG; other images stay lossless.
 * @throws RenderError `image_broken` or `too_large`
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

/** The longest side in pixels of the copy for probing: every byte is decoded, but little memory is used. */
const PROBE_SIDE = 400;

/**
 * Checks that an image decodes completely. sharp's `stats()` is not enough: for a truncated JPEG it succeeds
 * in about one of six calls.
 * @throws RenderError `image_broken` or `too_large`
 */
export async function probeImage(name: string, bytes: Uint8Array, limits: ImageLimits): Promise<void> {
  await pixelsOf(name, bytes, { side: PROBE_SIDE, limits });
}

/** An image on white: RGB, three bytes per pixel, row by row. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/**
 * Returns the pixels of an image on white, at most `side` pixels long, blurred by `blur` (sigma).
 * @throws RenderError `image_broken` or `too_large`
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

/** The size of the photo frame on the signature page. */
const FRAME = { width: 400, height: 494 };
const FRAME_GROUND = '#EFEAE0';

/**
 * Returns a photo of a person as a data: URL, upright: cropped to the frame around the face, or whole if the
 * face is unknown.
 */
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

/** Returns a drawn signature as a data: URL, without its empty margin; transparency is kept. */
export async function signatureUrl(name: string, bytes: Uint8Array, limits: ImageLimits): Promise<string> {
  return guarded(name, async () => {
    const fitted = (image: Sharp) =>
      image
        .resize({ width: 1000, height: 240, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .png()
        .toBuffer();
    const drawn = open(bytes, limits).autoOrient();
    // An even area cannot be trimmed, so it is drawn whole.
    const png = await fitted(drawn.clone().trim({ threshold: 12 })).catch(() => fitted(drawn));
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
