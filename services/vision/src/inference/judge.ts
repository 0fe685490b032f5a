import { cornersOf, type Evidence } from '../rules/evidence.ts';
import { openEyeScore } from '../rules/open-eye.ts';
import { measureLight } from '../rules/quality.ts';
import { darkOr, judgeCloseup, judgeEyes, judgeFaces } from '../rules/decide.ts';
import { NOT_AN_IMAGE, type DetectType, type Verdict } from '../rules/verdict.ts';
import { observeCloseup } from './closeup.ts';
import { likenessesOf, nearby } from './likeness.ts';
import { observeEyes, observeFaces } from './observe.ts';
import { decodePicture, UnreadablePicture, type Picture } from './picture.ts';
import { reduce } from './sizes.ts';
import type { Models } from './sessions.ts';

export interface JudgeOptions {
  detectType: DetectType;
  likeness?: boolean;
}

export async function judgeFile(
  file: Uint8Array,
  { detectType, likeness = false }: JudgeOptions,
  models: Models,
): Promise<Verdict> {
  let picture: Picture;
  try {
    picture = await decodePicture(file);
  } catch (error) {
    if (error instanceof UnreadablePicture) return NOT_AN_IMAGE;
    throw error;
  }
  return detectType === 'faces'
    ? judgeForFaces(picture, models, likeness)
    : judgeForEyes(picture, models, likeness);
}

async function judgeForFaces(picture: Picture, models: Models, likeness: boolean): Promise<Verdict> {
  const observed = await observeFaces(picture, models, likeness);
  const verdict = judgeFaces(picture, observed);
  if (verdict.ok && likeness) {
    const corners = (observed[0]?.eyes ?? []).map(cornersOf);
    // Described from several crops, because the model draws the ends of an eye a little differently on each
    // photo.
    return { ...verdict, eyes: await likenessesOf(picture, corners.flatMap(nearby)) };
  }
  if (verdict.reason !== 'no_face') return verdict;
  const { rgb } = await reduce(picture);
  return { ...verdict, reason: darkOr('no_face', measureLight(rgb)) };
}

async function judgeForEyes(picture: Picture, models: Models, likeness: boolean): Promise<Verdict> {
  let evidence: Evidence[] | undefined;
  const lookClosely = async (): Promise<Evidence[]> => (evidence ??= await observeCloseup(picture, models));
  const observed = await observeEyes(picture, models, async () => (await lookClosely()).some(isOpen));
  const { undecided, ...verdict } = judgeEyes(picture, observed);
  if (!undecided) {
    if (!verdict.ok || !likeness) return verdict;
    return { ...verdict, eyes: await likenessesOf(picture, (observed[0]?.eyes ?? []).map(cornersOf)) };
  }
  const seen = await lookClosely();
  const { rgb } = await reduce(picture);
  const closeup = judgeCloseup(picture, seen, measureLight(rgb));
  if (closeup.ok && likeness) {
    const corners = seen.filter(isOpen).map((one) => one.corners);
    return { ...closeup, eyes: await likenessesOf(picture, corners) };
  }
  return closeup.ok || verdict.reason === 'no_eye' ? closeup : verdict;
}

const isOpen = (evidence: Evidence): boolean => openEyeScore(evidence) > 0;
