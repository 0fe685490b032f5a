/** The progress of a finalization, for users who wait. */
import type { FinalizationProgress, FinalizationStep } from '@karaar/contracts/documents/http';

export type HowFar = Omit<FinalizationProgress, 'no'>;

/** Where each step begins, in percent of the time that an agreement with a few files takes. */
const BEGINS: Record<FinalizationStep, number> = {
  files: 0,
  pages: 45,
  assembling: 65,
  sealing: 85,
  storing: 95,
};

/** Never goes back within an attempt, and reaches 100 only by the end of the job itself. */
export function howFar(step: FinalizationStep, done = 0, total = 0): HowFar {
  const share = step === 'files' && total > 0 ? Math.min(done, total) / total : 0;
  return { step, done, total, percent: BEGINS[step] + Math.floor(share * (BEGINS.pages - BEGINS.files)) };
}
