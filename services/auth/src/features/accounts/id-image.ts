/** The government ID image is re-encoded, so that EXIF, GPS and hidden data are not stored. */
import sharp from 'sharp';
import { notAnImage } from './accounts.errors.ts';

const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 2_400;

/**
 * Returns the upright image as a JPEG without metadata.
 * @throws 422 for a file that is not an image or has too many pixels
 */
export async function cleanIdImage(path: string): Promise<Buffer> {
  try {
    return await sharp(path, { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 88 })
      .toBuffer();
  } catch {
    throw notAnImage();
  }
}
