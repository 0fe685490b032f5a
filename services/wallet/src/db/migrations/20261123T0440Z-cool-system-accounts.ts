import { sql, type Kysely } from 'kysely';
import { COOL_SYSTEM_ACCOUNTS_SQL } from './cool-system-accounts.sql.ts';

/** Transfers no longer lock the row of the system account that all of them share (ADR 0060). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COOL_SYSTEM_ACCOUNTS_SQL).execute(db);
}
