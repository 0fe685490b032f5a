/** The two steps of a payment. Concurrent payments share a statement, and so its round trip and commit. */
import { batched } from '@karaar/db/batching';
import { currentTraceparent } from '@karaar/observability/telemetry';
import type { Db } from '../../db/schema.ts';
import { completePayments, openPayments, type Completion, type Opening } from './charges.repository.ts';

/** Payments whose documents were read together come back within this time. */
const LINGER_MS = 1;

export function batchSteps(db: Db) {
  const complete = batched({
    run: (items: readonly (Completion & { traceparent: string | null })[]) => completePayments(db, items),
    lingerMs: LINGER_MS,
  });
  return {
    /** Finds or writes the live payment of a share. Returns the reason why a share has none. */
    open: batched({ run: (openings: readonly Opening[]) => openPayments(db, openings), lingerMs: LINGER_MS }),
    /** Records a debit once, and resolves when that is committed. */
    complete: (completion: Completion) =>
      complete({ ...completion, traceparent: currentTraceparent() ?? null }),
  };
}
export type BatchedSteps = ReturnType<typeof batchSteps>;
