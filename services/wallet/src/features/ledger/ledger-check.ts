/** Proves the ledger from its rows: from all of them, or from those since the last closed month and what is stored of that. */
import { inTransaction } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import {
  closedMonths,
  closeEnded,
  monthsToRead,
  noteRead,
  readAgain,
  sinceLast,
  storedFaults,
  sumFaults,
} from './closed-months.ts';
import { ALWAYS, faultsSince, totalSince, type LedgerFault } from './ledger-faults.ts';

export type { LedgerFault } from './ledger-faults.ts';

export type LedgerReport = {
  /** Σ of all entries in paise; 0 in a sound ledger. A text, because it may be beyond 2^53. */
  totalPaise: string;
  transfers: number;
  /** Accounts of users. */
  wallets: number;
  faults: LedgerFault[];
};

const ONE_SNAPSHOT = { isolation: 'repeatable read' } as const;

/** Checks the whole ledger and all that is stored of it, in one snapshot, so that it may run beside the service. Reads only. */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return inTransaction(
    db,
    async (tx) => {
      const { rows } = await sql<{ transfers: number; wallets: number }>`
        SELECT (SELECT count(*)::int FROM transfers) AS transfers,
          (SELECT count(*)::int FROM accounts WHERE kind = 'user') AS wallets`.execute(tx);
      const { transfers = 0, wallets = 0 } = rows[0] ?? {};
      const months = await closedMonths(tx);
      const faults = [
        ...(await faultsSince(tx, ALWAYS)),
        ...(await storedFaults(tx)),
        ...(await readAgain(
          tx,
          months.map(({ month }) => month),
        )),
        ...(await sumFaults(tx, sinceLast(months).id)),
      ];
      return { totalPaise: await totalSince(tx, ALWAYS), transfers, wallets, faults };
    },
    ONE_SNAPSHOT,
  );
}

export type RunningProof = {
  faults: LedgerFault[];
  /** Closed months whose rows were read again. */
  read: string[];
  /** Months that this proof has closed. */
  closed: string[];
};

/**
 * Proves what has changed since the last closed month, reads some of the closed months again, and closes those that have
 * ended, unless something is wrong.
 *
 * @param part of the closed months to read, above 0 and at most 1: 1/24 each hour is each of them once a day
 */
export async function proveOn(db: Db, part: number): Promise<RunningProof> {
  return inTransaction(
    db,
    async (tx) => {
      const months = await closedMonths(tx);
      const read = await monthsToRead(tx, part);
      const changed = await readAgain(tx, read);
      await noteRead(tx, read, changed);
      const faults = [...(await faultsSince(tx, sinceLast(months))), ...(await storedFaults(tx)), ...changed];
      const closed = faults.length === 0 ? await closeEnded(tx, months) : [];
      return { faults, read, closed };
    },
    ONE_SNAPSHOT,
  );
}
