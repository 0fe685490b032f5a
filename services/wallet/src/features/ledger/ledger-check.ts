/** Proves the ledger: all entries sum to zero, and every kept balance is the sum of its entries. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type LedgerFaults = {
  /** Σ of all entries; 0 in a sound ledger. Paise. */
  totalPaise: string;
  /** Accounts whose kept balance differs from the sum of their entries. */
  accounts: { id: string; kept: string; entries: string }[];
};

export async function checkLedger(db: Kysely<Database>): Promise<LedgerFaults> {
  const total = await sql<{
    total: string;
  }>`SELECT coalesce(sum(amount_paise), 0)::text AS total FROM entries`.execute(db);
  const accounts = await sql<{ id: string; kept: string; entries: string }>`
    SELECT a.id, a.balance_paise::text AS kept, coalesce(sum(e.amount_paise), 0)::text AS entries
    FROM accounts a LEFT JOIN entries e ON e.account_id = a.id
    WHERE a.kind = 'user'
    GROUP BY a.id HAVING a.balance_paise <> coalesce(sum(e.amount_paise), 0)`.execute(db);
  return { totalPaise: total.rows[0]?.total ?? '0', accounts: accounts.rows };
}
