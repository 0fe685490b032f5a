import { sql, type Kysely } from 'kysely';
import { FEE_AND_REST_ACCOUNTS_SQL } from './fee-and-rest-accounts.sql.ts';

/**
 * The part of a card payment that the payer paid on top of the order for the provider's fee, and the parts of it that went back
 * by a refund or a dispute; and rests that people give up (ADR 0092).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FEE_AND_REST_ACCOUNTS_SQL).execute(db);
  for (const table of ['top_up_orders', 'refunds', 'disputes'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN fee_paise bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`
    ALTER TABLE top_up_orders ADD CONSTRAINT top_up_orders_fee_of_paid
      CHECK (fee_paise = 0 OR fee_paise > 0 AND status = 'paid') NOT VALID`.execute(db);
  await sql`
    ALTER TABLE refunds ADD CONSTRAINT refunds_parts
      CHECK (fee_paise >= 0 AND fee_paise + short_paise <= amount_paise) NOT VALID`.execute(db);
  await sql`
    ALTER TABLE disputes ADD CONSTRAINT disputes_parts
      CHECK (fee_paise >= 0 AND fee_paise + held_paise <= amount_paise) NOT VALID`.execute(db);
}
