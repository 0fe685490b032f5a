import { sql, type Kysely } from 'kysely';
import { EXCEPTION_ACCOUNTS_SQL } from './exception-accounts.sql.ts';

/**
 * Differences between the card provider's books and ours, until they are settled; and the run that compares both
 * (ADR 0065). What a run has seen at the provider is marked, so that the next one asks for the rest alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(EXCEPTION_ACCOUNTS_SQL).execute(db);
  await sql`
    CREATE TABLE payment_exceptions (
      id uuid PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('payment_uncredited', 'payment_missing', 'refund_unmatched', 'refund_differs',
        'refund_missing', 'dispute_unmatched', 'dispute_differs', 'dispute_missing', 'wallet_short',
        'settlement_unmatched', 'settlement_differs', 'clearing_differs')),
      -- The provider's name for what differs.
      subject text NOT NULL,
      cause text NOT NULL,
      payment_id text,
      order_id text,
      user_id uuid,
      amount_paise bigint NOT NULL CHECK (amount_paise >= 0),
      -- What it has put into the account of suspense, below zero where the provider has less than our books.
      booked_paise bigint NOT NULL DEFAULT 0,
      since timestamptz NOT NULL DEFAULT now(),
      seen_at timestamptz NOT NULL DEFAULT now(),
      state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'proposed', 'resolved')),
      -- Counts the changes: whoever confirms says which one was read.
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
  await sql`CREATE INDEX payment_exceptions_by_state ON payment_exceptions (state, id)`.execute(db);
  await sql`CREATE INDEX payment_exceptions_refunds ON payment_exceptions (next_check_at) WHERE refund_state = 'asked'`.execute(
    db,
  );
  for (const [table, paid] of [
    ['top_up_orders', "status = 'paid'"],
    ['refunds', 'provider_refund_id IS NOT NULL'],
    ['disputes', 'true'],
  ] as const) {
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN compared_at timestamptz`.execute(db);
    await sql`CREATE INDEX ${sql.ref(`${table}_uncompared`)} ON ${sql.table(table)} (id) WHERE compared_at IS NULL AND ${sql.raw(paid)}`.execute(
      db,
    );
  }
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
      -- What the last complete run looked at.
      payments integer NOT NULL DEFAULT 0,
      refunds integer NOT NULL DEFAULT 0,
      disputes integer NOT NULL DEFAULT 0,
      settlements integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`INSERT INTO reconciliation (id) VALUES (1)`.execute(db);
}
