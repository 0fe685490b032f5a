/** Whether the eyes on the two photos of one verification look alike: a hint for the creator, never a reason to refuse. */
import { eyeAgreement, type EyeLikeness } from '@karaar/faces/eye-likeness';

/** Below this a hint is shown: chosen so that few pairs of one person fall below it (docs/vision.md). */
const UNLIKE = 35;

/** 0 (nothing in common) to 100; null where a photo has no data about its eyes. */
export function agreementOf(
  face: readonly EyeLikeness[] = [],
  eye: readonly EyeLikeness[] = [],
): number | null {
  const agreement = eyeAgreement(face, eye);
  return agreement === null ? null : Math.round(100 * Math.min(1, Math.max(0, agreement)));
}

export const looksUnlike = (agreement: number | null): boolean => agreement !== null && agreement < UNLIKE;
