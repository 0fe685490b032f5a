import { addPartitions } from '@karaar/db/partitions';
import { busTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';
import { LEDGER_SQL } from './ledger.sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await sql.raw(LEDGER_SQL).execute(db);
  // Partitioned by the year of the transfer. A wallet's page reads every partition, and sixty monthly ones
  // would make it ten times as slow (ADR 0033).
  await addPartitions(db, { table: 'entries', key: 'transfer_id', months: 12 });
  await proof(db);
  await cardPayments(db);
  await exceptions(db);
}

/** The proved totals of ledger periods, and the schedule of the next proof (ADR 0070). */
async function proof(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ledger_periods (
      -- In UTC, such as 2026_11.
      month text PRIMARY KEY,
      -- The period's transfers are those from lower_id up to, but excluding, upper_id; the first period has no lower bound.
      lower_id uuid NOT NULL UNIQUE,
      upper_id uuid NOT NULL UNIQUE,
      transfers bigint NOT NULL,
      entries bigint NOT NULL,
      moved_paise numeric NOT NULL,
      -- A digest of the period's rows of transfers and entries.
      digest text NOT NULL,
      -- A digest of ledger_account_sums when this period was closed.
      sums_digest text NOT NULL,
      closed_at timestamptz NOT NULL DEFAULT now(),
      -- When the rows were last checked, and whether they still matched.
      read_at timestamptz NOT NULL DEFAULT now(),
      sound boolean NOT NULL DEFAULT true,
      CHECK (lower_id < upper_id)
    )`.execute(db);
  await sql`
    CREATE TRIGGER ledger_periods_stay BEFORE DELETE OR TRUNCATE ON ledger_periods
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TRIGGER ledger_periods_keep_what_was_proved BEFORE UPDATE OF
      month, lower_id, upper_id, transfers, entries, moved_paise, digest, sums_digest, closed_at ON ledger_periods
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TABLE ledger_account_sums (
      account_id uuid PRIMARY KEY,
      -- The sum of its entries in the closed periods.
      paise numeric NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE ledger_proof (
      id integer PRIMARY KEY CHECK (id = 1),
      -- Not at once: a new installation has nothing to prove.
      next_at timestamptz NOT NULL DEFAULT now() + interval '1 hour',
      lease_until timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      -- Until the first proof: the time of the installation.
      checked_at timestamptz NOT NULL DEFAULT now(),
      faults integer NOT NULL DEFAULT 0,
      -- The last proof of all rows.
      whole_at timestamptz NOT NULL DEFAULT now(),
      whole_faults integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`INSERT INTO ledger_proof (id) VALUES (1)`.execute(db);
}

/**
 * Top-ups, refunds and disputes. `fee_paise` is the part that was paid on top for the provider's fee (ADR
 * 0092).
 */
async function cardPayments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE top_up_orders (
      id text PRIMARY KEY,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      fee_paise bigint NOT NULL DEFAULT 0,
      currency text NOT NULL,
      status text NOT NULL CHECK (status IN ('created', 'paid', 'failed')),
      payment_id text UNIQUE,
      next_check_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      -- When the checkout returned a signed payment that the provider had not captured or confirmed yet.
      answered_at timestamptz,
      -- When a comparison found it at the provider; the next one requests only the other rows.
      compared_at timestamptz,
      CHECK ((status = 'paid') = (payment_id IS NOT NULL)),
      CONSTRAINT top_up_orders_fee_of_paid CHECK (fee_paise = 0 OR fee_paise > 0 AND status = 'paid')
    )`.execute(db);
  await sql`CREATE INDEX top_up_orders_open ON top_up_orders (next_check_at) WHERE status <> 'paid'`.execute(
    db,
  );
  await sql`CREATE INDEX top_up_orders_by_user ON top_up_orders (user_id, created_at DESC)`.execute(db);
  await sql`
    CREATE INDEX top_up_orders_uncompared ON top_up_orders (id)
    WHERE compared_at IS NULL AND status = 'paid'`.execute(db);
  await sql`
    CREATE TABLE refunds (
      id uuid PRIMARY KEY,
      idempotency_key text NOT NULL UNIQUE,
      order_id text NOT NULL REFERENCES top_up_orders,
      payment_id text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      fee_paise bigint NOT NULL DEFAULT 0,
      -- The part that the wallet did not hold: our loss until its owner pays it.
      short_paise bigint NOT NULL DEFAULT 0 CHECK (short_paise BETWEEN 0 AND amount_paise),
      reason text NOT NULL,
      admin_id text NOT NULL,
      made_by text NOT NULL DEFAULT 'us' CHECK (made_by IN ('us', 'provider')),
      status text NOT NULL CHECK (status IN ('pending', 'processed', 'failed')),
      -- Set once the provider has accepted the refund; a refund that fails later keeps it.
      provider_refund_id text UNIQUE,
      next_check_at timestamptz NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      compared_at timestamptz,
      CONSTRAINT refunds_processed_is_named CHECK (status <> 'processed' OR provider_refund_id IS NOT NULL),
      CONSTRAINT refunds_parts CHECK (fee_paise >= 0 AND fee_paise + short_paise <= amount_paise)
    )`.execute(db);
  await sql`CREATE INDEX refunds_of_payment ON refunds (payment_id)`.execute(db);
  await sql`CREATE INDEX refunds_open ON refunds (next_check_at) WHERE status = 'pending'`.execute(db);
  await sql`
    CREATE INDEX refunds_uncompared ON refunds (id)
    WHERE compared_at IS NULL AND provider_refund_id IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE disputes (
      id text PRIMARY KEY,
      order_id text NOT NULL REFERENCES top_up_orders,
      payment_id text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      fee_paise bigint NOT NULL DEFAULT 0,
      -- The part that the wallet held when the dispute was opened.
      held_paise bigint NOT NULL CHECK (held_paise BETWEEN 0 AND amount_paise),
      status text NOT NULL CHECK (status IN ('open', 'won', 'lost')),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      compared_at timestamptz,
      CONSTRAINT disputes_parts CHECK (fee_paise >= 0 AND fee_paise + held_paise <= amount_paise)
    )`.execute(db);
  await sql`CREATE INDEX disputes_of_user ON disputes (user_id) WHERE status = 'open'`.execute(db);
  await sql`CREATE INDEX disputes_of_payment ON disputes (payment_id)`.execute(db);
  await sql`CREATE INDEX disputes_uncompared ON disputes (id) WHERE compared_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE webhook_deliveries (
      event_id text PRIMARY KEY,
      received_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (received_at)`.execute(db);
}

/** Differences between the card provider's books and ours, and the schedule of the comparison (ADR 0065). */
async function exceptions(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE payment_exceptions (
      id uuid PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('payment_uncredited', 'payment_missing', 'refund_unmatched', 'refund_differs',
        'refund_missing', 'dispute_unmatched', 'dispute_differs', 'dispute_missing', 'wallet_short',
        'settlement_unmatched', 'settlement_differs', 'clearing_differs')),
      -- The provider's id of the payment, refund, dispute or settlement.
      subject text NOT NULL,
      cause text NOT NULL,
      payment_id text,
      order_id text,
      user_id uuid,
      amount_paise bigint NOT NULL CHECK (amount_paise >= 0),
      -- The amount that it holds in suspense; negative if the provider has less than our books.
      booked_paise bigint NOT NULL DEFAULT 0,
      since timestamptz NOT NULL DEFAULT now(),
      seen_at timestamptz NOT NULL DEFAULT now(),
      state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'proposed', 'resolved')),
      -- Raised by every change: an admin confirms the version that the admin has read.
      version integer NOT NULL DEFAULT 1,
      resolution text CHECK (resolution IN ('credit_user', 'refund_card', 'written_off', 'settled_elsewhere', 'settled_itself')),
      reason text,
      credit_user_id uuid,
      proposed_by text,
      proposed_at timestamptz,
      confirmed_by text,
      resolved_at timestamptz,
      refund_state text CHECK (refund_state IN ('asked', 'done')),
      provider_refund_id text,
      next_check_at timestamptz NOT NULL DEFAULT 'infinity',
      attempts integer NOT NULL DEFAULT 0,
      lease_until timestamptz,
      CONSTRAINT payment_exceptions_by_two_admins CHECK (confirmed_by <> proposed_by),
      CONSTRAINT payment_exceptions_state CHECK (CASE state
        WHEN 'open' THEN num_nonnulls(resolution, reason, credit_user_id, proposed_by, proposed_at, confirmed_by, resolved_at) = 0
        WHEN 'proposed' THEN num_nonnulls(resolution, reason, proposed_by, proposed_at) = 4
          AND num_nonnulls(confirmed_by, resolved_at) = 0
        ELSE resolved_at IS NOT NULL AND (resolution = 'settled_itself') = (confirmed_by IS NULL)
          AND (confirmed_by IS NULL OR num_nonnulls(resolution, reason, proposed_by, proposed_at) = 4) END),
      CONSTRAINT payment_exceptions_refund CHECK (refund_state IS NULL OR resolution = 'refund_card' AND state = 'resolved')
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX payment_exceptions_one_open ON payment_exceptions (kind, subject) WHERE state <> 'resolved'`.execute(
    db,
  );
  await sql`CREATE INDEX payment_exceptions_of_subject ON payment_exceptions (subject)`.execute(db);
  await sql`CREATE INDEX payment_exceptions_of_order ON payment_exceptions (order_id)`.execute(db);
  await sql`CREATE INDEX payment_exceptions_by_state ON payment_exceptions (state, id)`.execute(db);
  await sql`CREATE INDEX payment_exceptions_refunds ON payment_exceptions (next_check_at) WHERE refund_state = 'asked'`.execute(
    db,
  );
  await sql`
    CREATE TABLE reconciliation (
      id integer PRIMARY KEY CHECK (id = 1),
      -- Not at once: a new installation has nothing to compare.
      next_at timestamptz NOT NULL DEFAULT now() + interval '1 hour',
      lease_until timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      last_began_at timestamptz,
      last_complete_at timestamptz,
      last_failed_at timestamptz,
      -- The number of entities that the last complete run compared.
      payments integer NOT NULL DEFAULT 0,
      refunds integer NOT NULL DEFAULT 0,
      disputes integer NOT NULL DEFAULT 0,
      settlements integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`INSERT INTO reconciliation (id) VALUES (1)`.execute(db);
}
