import { sql, type Kysely } from 'kysely';
import { PAYMENT_SQL } from './payment.sql.ts';

/** Opening and completing a payment in one round trip each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(PAYMENT_SQL).execute(db);
}
