/** A file in, a verdict out: what one worker does for one photo. */
import { measureQuality } from '../features/validation/quality.ts';
import { darkOr, judgeCloseup, judgeEyes, judgeFaces } from '../features/validation/validation.ts';
import { NOT_AN_IMAGE, type DetectType, type Verdict } from '../features/validation/verdict.ts';
import { observeCloseup } from './closeup.ts';
import { observeEyes, observeFaces } from './observe.ts';
import { decodePicture, reduce, UnreadablePicture, type Picture } from './picture.ts';
import type { Models } from './sessions.ts';

export async function judgeFile(file: Uint8Array, detectType: DetectType, models: Models): Promise<Verdict> {
  let picture: Picture;
  try {
    picture = await decodePicture(file);
  } catch (error) {
    if (error instanceof UnreadablePicture) return NOT_AN_IMAGE;
    throw error;
  }
  return detectType === 'faces' ? judgeForFaces(picture, models) : judgeForEyes(picture, models);
}

async function judgeForFaces(picture: Picture, models: Models): Promise<Verdict> {
  const verdict = judgeFaces(picture, await observeFaces(picture, models));
  if (verdict.reason !== 'no_face') return verdict;
  const { rgb, width, height } = await reduce(picture);
  return { ...verdict, reason: darkOr('no_face', measureQuality(rgb, width, height)) };
}

async function judgeForEyes(picture: Picture, models: Models): Promise<Verdict> {
  const { undecided, ...verdict } = judgeEyes(picture, await observeEyes(picture, models));
  if (!undecided) return verdict;
  const evidence = await observeCloseup(picture, models);
  const { rgb, width, height } = await reduce(picture);
  const closeup = judgeCloseup(picture, evidence, measureQuality(rgb, width, height));
  return closeup.ok || verdict.reason === 'no_eye' ? closeup : verdict;
}
