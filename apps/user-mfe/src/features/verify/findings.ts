/** What a check's finding is called. */
import type { Verification } from '@karaar/contracts/documents/verify';

export type Check = Verification['checks'][number];

/** Keys of a check's texts: its name, and what it means that it holds or not. */
export const wordsOf = ({ name, ok }: Check) =>
  ({ title: name, finding: `${name}${ok ? 'Ok' : 'Bad'}` }) as const;
