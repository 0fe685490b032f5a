/** A concurrency limit for verifying files: reading a file costs memory and a core, and the route needs no sign-in. */
import { createGate } from '@karaar/rendering';
import type { ConcurrencyLimit } from '../../context.ts';
import { verifyBusy } from './verify.errors.ts';

/** Runs at most `atOnce` works at the same time; the others wait in order, `waitMs` at most. */
export function createConcurrencyLimit({ atOnce = 4, waitMs = 20_000 } = {}): ConcurrencyLimit {
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
