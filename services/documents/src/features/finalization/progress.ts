import type { FinalizationProgress, FinalizationStep } from '@karaar/contracts/documents/http';

export type HowFar = Omit<FinalizationProgress, 'no'>;

/** The start of each step, in percent of the time for an agreement with a few files. */
const BEGINS: Record<FinalizationStep, number> = {
  files: 0,
  pages: 45,
  assembling: 65,
  sealing: 85,
  storing: 95,
};

/** Never decreases within an attempt; only the end of the job reaches 100. */
export function howFar(step: FinalizationStep, done = 0, total = 0): HowFar {
  const share = step === 'files' && total > 0 ? Math.min(done, total) / total : 0;
  return { step, done, total, percent: BEGINS[step] + Math.floor(share * (BEGINS.pages - BEGINS.files)) };
}
