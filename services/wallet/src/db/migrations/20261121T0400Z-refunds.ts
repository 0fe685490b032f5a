import { sql, type Kysely } from 'kysely';

/** Refunds to cards, and the notices of the provider that were taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE refunds (
      id uuid PRIMARY KEY,
      idempotency_key text NOT NULL UNIQUE,
      order_id text NOT NULL REFERENCES top_up_orders,
      payment_id text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      reason text NOT NULL,
      admin_id text NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'processed', 'failed')),
      provider_refund_id text UNIQUE,
      next_check_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((status = 'processed') = (provider_refund_id IS NOT NULL))
    )`.execute(db);
  await sql`CREATE INDEX refunds_of_payment ON refunds (payment_id)`.execute(db);
  await sql`CREATE INDEX refunds_open ON refunds (next_check_at) WHERE status = 'pending'`.execute(db);
  await sql`
    CREATE TABLE webhook_notices (
      event_id text PRIMARY KEY,
      received_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX webhook_notices_by_age ON webhook_notices (received_at)`.execute(db);
}
