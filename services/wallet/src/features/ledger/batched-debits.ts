import { batched } from '@karaar/db/batching';
import type { Db } from '../../db/schema.ts';
import { debitAll, type Moved, type Transfer } from './ledger.repository.ts';

/** Payments of one group arrive within this time. */
const LINGER_MS = 1;

/**
 * Returns a function that debits like `debit`; under load, simultaneous debits share a round trip and a
 * commit.
 */
export function batchDebits(db: Db): (transfer: Transfer) => Promise<Moved> {
  const debit = batched({ run: (debits: readonly Transfer[]) => debitAll(db, debits), lingerMs: LINGER_MS });
  return async (transfer) => {
    const moved = await debit(transfer);
    return moved();
  };
}
