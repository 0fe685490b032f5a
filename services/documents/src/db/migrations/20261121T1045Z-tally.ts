import { tallyTables } from '@karaar/platform/frozen-tables';
import type { Kysely } from 'kysely';

/** How many documents there are of each status and day, without counting them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tallyTables(db, { table: 'documents', kind: ['status'] });
}
