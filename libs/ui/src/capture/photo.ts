/** Photos as JPEG files, from the camera or from a file of the device. */

/** The source of a photo. */
export type PhotoOrigin = 'camera' | 'device';

/** The maximum longer side of a photo from the device, in pixels; phone cameras produce more than needed. */
const LONGEST_SIDE = 2_000;

/**
 * Returns the current picture of a video as a JPEG file, not mirrored.
 * @param quality 0 to 1
 * @throws Error if the browser cannot encode the picture
 */
export function takePhoto(video: HTMLVideoElement, fileName: string, quality: number): Promise<File> {
  return jpegOf(video, { width: video.videoWidth, height: video.videoHeight }, fileName, quality);
}

/**
 * Returns why a file of the device is refused as a photo, or null. Its content is checked when it is read, also
 * of a kind for which the browser has no type, such as HEIC.
 */
export function deviceFault(
  { type, size }: Pick<File, 'type' | 'size'>,
  maxBytes: number,
): 'fileNotImage' | 'fileEmpty' | 'fileTooLarge' | null {
  if (size === 0) return 'fileEmpty';
  if (type !== '' && !type.startsWith('image/')) return 'fileNotImage';
  return size > maxBytes ? 'fileTooLarge' : null;
}

/**
 * Returns a picture of the device as a photo: upright, scaled like a camera photo, without metadata (place,
 * device, time).
 * @param quality 0 to 1
 * @throws DOMException if the browser cannot read the file as a picture
 */
export async function devicePhoto(file: File, fileName: string, quality: number): Promise<File> {
  const picture = await createImageBitmap(file);
  try {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const size = { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
    return await jpegOf(picture, size, fileName, quality);
  } finally {
    picture.close();
  }
}

async function jpegOf(
  picture: HTMLVideoElement | ImageBitmap,
  { width, height }: { width: number; height: number },
  fileName: string,
  quality: number,
): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
  if (!blob) throw new Error('The photo could not be encoded');
  return new File([blob], fileName, { type: 'image/jpeg' });
}
