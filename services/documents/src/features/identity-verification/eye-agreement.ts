/** Compares the eyes on the two photos of a verification, as a hint for the creator and not for refusals. */
import { eyeAgreement, type EyeLikeness } from '@karaar/faces/eye-likeness';

/** Few pairs of photos of one person have a lower score (docs/vision.md). */
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
