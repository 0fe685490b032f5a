import { tallyTables } from '@karaar/platform/frozen-tables';
import type { Kysely } from 'kysely';

/** How many users there are of each state and day, without counting them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tallyTables(db, { table: 'users', kind: ['status'] });
}
