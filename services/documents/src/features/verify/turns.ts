/** Whose turn it is to have a file verified: reading one costs memory and a core, and anybody may ask. */
import { createGate } from '@karaar/rendering';
import { verifyBusy } from './verify.errors.ts';

/** Runs the work when it is its turn. Throws 503 `verify_busy` when too many others were before it for too long. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** As many at once as `atOnce`; the next ones wait in order, `waitMs` at most. */
export function createTurns({ atOnce = 4, waitMs = 20_000 } = {}): Turns {
  const gate = createGate(atOnce);
  return async (work) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), waitMs);
    try {
      return await gate(() => {
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
