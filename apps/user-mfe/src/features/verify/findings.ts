/** The texts of the checks. */
import type { Verification } from '@karaar/contracts/documents/verify';

export type Check = Verification['checks'][number];

/** Returns the text keys of a check: its name, and the meaning of its result. */
export const wordsOf = ({ name, ok }: Check, ownAuthority = false) =>
  ({
    title: name,
    finding:
      ok && ownAuthority && name === 'certificate'
        ? 'certificateOwn'
        : (`${name}${ok ? 'Ok' : 'Bad'}` as const),
  }) as const;
