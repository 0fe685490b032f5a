import { sql, type Kysely } from 'kysely';
import { SYSTEM_ACCOUNTS_SQL } from './system-accounts.sql.ts';

/**
 * Refunds that the provider has taken and not done, that were made in its dashboard, and that a wallet could not bear;
 * each is one worker's at a time. Disputes of card payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(SYSTEM_ACCOUNTS_SQL).execute(db);
  await sql`
    ALTER TABLE refunds
      ADD COLUMN attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN lease_until timestamptz,
      ADD COLUMN made_by text NOT NULL DEFAULT 'us' CHECK (made_by IN ('us', 'provider')),
      -- The part that the wallet did not hold: ours to bear until its owner pays it.
      ADD COLUMN short_paise bigint NOT NULL DEFAULT 0 CHECK (short_paise BETWEEN 0 AND amount_paise),
      -- A pending one has the provider's name as soon as the provider has taken it, a failed one keeps it.
      DROP CONSTRAINT refunds_check,
      ADD CONSTRAINT refunds_processed_is_named CHECK (status <> 'processed' OR provider_refund_id IS NOT NULL)`.execute(
    db,
  );
  // They have been asked for: whoever takes one up looks for it at the provider first.
  await sql`UPDATE refunds SET attempts = 1 WHERE status = 'pending'`.execute(db);
  await sql`
    CREATE TABLE disputes (
      id text PRIMARY KEY,
      order_id text NOT NULL REFERENCES top_up_orders,
      payment_id text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      -- What the wallet held of it when the dispute was opened.
      held_paise bigint NOT NULL CHECK (held_paise BETWEEN 0 AND amount_paise),
      status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX disputes_of_user ON disputes (user_id) WHERE status = 'open'`.execute(db);
}
