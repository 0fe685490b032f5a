/** Limits concurrent verifications: each costs memory and a core, and the route needs no sign-in. */
import { createConcurrencyLimit } from '@karaar/rendering';
import type { VerifyLimit } from '../../context.ts';
import { verifyBusy } from './verify.errors.ts';

/** Runs at most `atOnce` tasks at a time; the others wait in order, and fail with 503 after `waitMs`. */
export function createVerifyLimit({ atOnce = 4, waitMs = 20_000 } = {}): VerifyLimit {
  const limited = createConcurrencyLimit(atOnce);
  return async (work) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), waitMs);
    try {
      return await limited(() => {
        clearTimeout(timer);
        return work();
      }, waiting.signal);
    } catch (error) {
      if (waiting.signal.aborted) throw verifyBusy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
