/** Checks a verification's images: each must decode with the final PDF's decoder and have content. */
import { readFile } from 'node:fs/promises';
import type { AppError } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import { DEFAULT_LIMITS, type Pixels, pixelsOf, probeImage, RenderError } from '@karaar/rendering';
import {
  fingerprintBlank,
  fingerprintBroken,
  photoBroken,
  signatureBlank,
  signatureBroken,
} from './verification.errors.ts';

type Images = Record<'profile_pic' | 'eye' | 'sign', SpooledFile> & { thumb?: SpooledFile | undefined };

/** The longest side of the checked picture. A pen line of 2 of 600 pixels keeps over half of its contrast. */
const SIGN_SIDE = 400;
const THUMB_SIDE = 128;
/** Minimum contrast of ink (of 255, in one channel). Paper, shadows and JPEG artefacts stay below it. */
const INK_CONTRAST = 24;
/** A pen line of 20 of 600 pixels has 28 ink pixels, a tap on the pad 4, a signature over 1,000. */
const INK_PIXELS = 24;
/** Blur radius (sigma) of the surroundings: wider than a pen line, narrower than a shadow on paper. */
const SURROUNDINGS = 12;
/** Minimum standard deviation of brightness: an even surface has 0, camera noise 1, content 10 or more. */
const THUMB_SPREAD = 3;

/**
 * Throws 422 with the image that does not decode, a signature without ink, or a fingerprint image of one
 * colour. The final PDF uses the same decoder and limits, so that an accepted image can be drawn there.
 */
export async function requireReadable({ profile_pic, eye, sign, thumb }: Images): Promise<void> {
  await Promise.all([
    decode(profile_pic, probe, () => photoBroken('profile_pic')),
    decode(eye, probe, () => photoBroken('eye')),
    decode(sign, inkOf, signatureBroken).then((ink) => {
      if (ink < INK_PIXELS) throw signatureBlank();
    }),
    thumb &&
      decode(thumb, spreadOf, fingerprintBroken).then((spread) => {
        if (spread < THUMB_SPREAD) throw fingerprintBlank();
      }),
  ]);
}

async function decode<T>(
  file: SpooledFile,
  look: (bytes: Uint8Array) => Promise<T>,
  broken: () => AppError,
): Promise<T> {
  try {
    return await look(await readFile(file.path));
  } catch (error) {
    throw error instanceof RenderError ? broken() : error;
  }
}

const probe = (bytes: Uint8Array): Promise<void> => probeImage('photo', bytes, DEFAULT_LIMITS);

/** Counts pixels that differ from their surroundings. The ground is white, so white ink does not count. */
export async function inkOf(bytes: Uint8Array): Promise<number> {
  const look = (blur: number): Promise<Pixels> =>
    pixelsOf('signature', bytes, { side: SIGN_SIDE, blur, limits: DEFAULT_LIMITS });
  const [sharp, around] = await Promise.all([look(0), look(SURROUNDINGS)]);
  const { data } = sharp;
  const { data: surroundings } = around;
  const differs = (at: number): boolean => {
    const contrast = (data[at] ?? 0) - (surroundings[at] ?? 0);
    return contrast >= INK_CONTRAST || contrast <= -INK_CONTRAST;
  };
  let ink = 0;
  for (let i = 0; i < data.length; i += 3) if (differs(i) || differs(i + 1) || differs(i + 2)) ink += 1;
  return ink;
}

/** Returns the standard deviation of brightness, 0 to 128. */
export async function spreadOf(bytes: Uint8Array): Promise<number> {
  const { data } = await pixelsOf('fingerprint', bytes, { side: THUMB_SIDE, limits: DEFAULT_LIMITS });
  let [n, sum, squares] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 3) {
    const luma = 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0);
    n += 1;
    sum += luma;
    squares += luma * luma;
  }
  return Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2));
}
