import { tallyTables } from '@karaar/platform/frozen-tables';
import type { Kysely } from 'kysely';

/** How many payments there are of each type, status and day and what they come to, without adding them up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tallyTables(db, { table: 'payments', kind: ['status'], amount: 'amount_paise' });
  await tallyTables(db, { table: 'card_movements', kind: ['type', 'status'], amount: 'amount_paise' });
}
