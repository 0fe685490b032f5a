/** The two steps of a payment, each for all payments that need it at a moment: under load they share round trips and commits. */
import { batched } from '@karaar/platform/batching';
import { currentTraceparent } from '@karaar/platform/telemetry';
import type { Db } from '../../db/schema.ts';
import { completePayments, openPayments, type Completion, type Opening } from './charges.repository.ts';

/** Milliseconds between two statements of one kind under load: a payment waits for each in turn. */
const APART_MS = 8;

export function batchSteps(db: Db) {
  const complete = batched({
    run: (items: readonly (Completion & { traceparent: string | null })[]) => completePayments(db, items),
    apartMs: APART_MS,
  });
  return {
    /** Finds or writes the live payment of a share; says why there is none. */
    open: batched({ run: (openings: readonly Opening[]) => openPayments(db, openings), apartMs: APART_MS }),
    /** Records a debit, once, and resolves once that is committed. */
    complete: (completion: Completion) =>
      complete({ ...completion, traceparent: currentTraceparent() ?? null }),
  };
}
export type BatchedSteps = ReturnType<typeof batchSteps>;
