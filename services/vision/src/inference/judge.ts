/** A file in, a verdict out: what one worker does for one photo. */
import { judgeEyes, judgeFaces } from '../features/validation/validation.ts';
import { NOT_AN_IMAGE, type DetectType, type Verdict } from '../features/validation/verdict.ts';
import { observeFaces } from './observe.ts';
import { decodePicture, UnreadablePicture, type Picture } from './picture.ts';
import type { Models } from './sessions.ts';

export async function judgeFile(file: Uint8Array, detectType: DetectType, models: Models): Promise<Verdict> {
  let picture: Picture;
  try {
    picture = await decodePicture(file);
  } catch (error) {
    if (error instanceof UnreadablePicture) return NOT_AN_IMAGE;
    throw error;
  }
  const faces = await observeFaces(picture, models);
  return detectType === 'faces' ? judgeFaces(picture, faces) : judgeEyes(picture, faces);
}
