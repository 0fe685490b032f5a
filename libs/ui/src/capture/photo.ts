/**
 * The current picture of a video as a JPEG file, as the camera sees it (not mirrored).
 * @param quality 0 to 1
 * @throws when the browser cannot encode the picture
 */
export async function takePhoto(video: HTMLVideoElement, fileName: string, quality: number): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
  if (!blob) throw new Error('The photo could not be encoded');
  return new File([blob], fileName, { type: 'image/jpeg' });
}
