/** Compares the eyes on the two photos of a verification, only as a hint for the creator. */
import { eyeAgreement, type EyeLikeness } from '@karaar/faces/eye-likeness';

/** Below this score a hint is shown. Few photo pairs of one person score lower (docs/vision.md). */
const UNLIKE = 35;

/** Returns 0 (nothing in common) to 100; null if a photo has no data about its eyes. */
export function agreementOf(
  face: readonly EyeLikeness[] = [],
  eye: readonly EyeLikeness[] = [],
): number | null {
  const agreement = eyeAgreement(face, eye);
  return agreement === null ? null : Math.round(100 * Math.min(1, Math.max(0, agreement)));
}

export const looksUnlike = (agreement: number | null): boolean => agreement !== null && agreement < UNLIKE;
