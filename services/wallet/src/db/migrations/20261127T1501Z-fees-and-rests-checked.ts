import { sql, type Kysely } from 'kysely';

/** Read and built beside the running product. */
export const withoutTransaction = true;

/** Holds the rows that were there to the new rules as well, and finds the disputes of a payment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE accounts VALIDATE CONSTRAINT accounts_kind_check`.execute(db);
  await sql`ALTER TABLE top_up_orders VALIDATE CONSTRAINT top_up_orders_fee_of_paid`.execute(db);
  await sql`ALTER TABLE refunds VALIDATE CONSTRAINT refunds_parts`.execute(db);
  await sql`ALTER TABLE disputes VALIDATE CONSTRAINT disputes_parts`.execute(db);
  await sql`CREATE INDEX CONCURRENTLY IF NOT EXISTS disputes_of_payment ON disputes (payment_id)`.execute(db);
}
