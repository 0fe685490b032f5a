/** Proves the ledger: from all rows, or from the rows since the last closed period and the stored totals. */
import { inTransaction } from '@karaar/db';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import {
  ledgerPeriods,
  closeEnded,
  monthsToRead,
  noteRead,
  readAgain,
  sinceLast,
  storedFaults,
  sumFaults,
} from './ledger-periods.ts';
import { ALWAYS, faultsSince, totalSince, type LedgerFault } from './ledger-faults.ts';

export type { LedgerFault } from './ledger-faults.ts';

export type LedgerReport = {
  /** Σ of all entries in paise; 0 in a sound ledger. A text, because it may be beyond 2^53. */
  totalPaise: string;
  transfers: number;
  wallets: number;
  faults: LedgerFault[];
};

const ONE_SNAPSHOT = { isolation: 'repeatable read' } as const;

/**
 * Checks the whole ledger and its stored totals in one snapshot, so that it may run while the service is up.
 * Reads only.
 */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return inTransaction(
    db,
    async (tx) => {
      const { rows } = await sql<{ transfers: number; wallets: number }>`
        SELECT (SELECT count(*)::int FROM transfers) AS transfers,
          (SELECT count(*)::int FROM accounts WHERE kind = 'user') AS wallets`.execute(tx);
      const { transfers = 0, wallets = 0 } = rows[0] ?? {};
      const months = await ledgerPeriods(tx);
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
  /** Closed periods whose rows this proof checked. */
  read: string[];
  closed: string[];
};

/**
 * Proves the rows since the last closed period, checks some closed periods, and closes the months that have
 * ended if there is no fault.
 * @param part the part of the closed periods to check, above 0 and at most 1: 1/24 each hour checks each once
 * a day
 */
export async function proveOn(db: Db, part: number): Promise<RunningProof> {
  return inTransaction(
    db,
    async (tx) => {
      const months = await ledgerPeriods(tx);
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
