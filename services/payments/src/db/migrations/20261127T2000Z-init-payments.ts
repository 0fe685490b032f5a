import { busTables, directoryMarks, directoryTables, counterTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';
import { PAYMENT_SQL } from './payment.sql.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await busTables(db);
  await directoryTables(db);
  await directoryMarks(db);
  await charges(db);
  await payments(db);
  await cardMovements(db);
  await reversals(db);
  await sql`CREATE TABLE used_step_ups (id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)`.execute(db);
}

async function charges(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE distributions (
      document_id uuid PRIMARY KEY,
      document_name text NOT NULL,
      total_paise bigint NOT NULL CHECK (total_paise > 0),
      duration_days integer NOT NULL CHECK (duration_days > 0),
      created_by uuid NOT NULL,
      document_version integer NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE shares (
      document_id uuid NOT NULL REFERENCES distributions ON DELETE CASCADE,
      user_id uuid NOT NULL,
      position integer NOT NULL,
      percentage numeric(7, 4) NOT NULL CHECK (percentage BETWEEN 0 AND 100),
      amount_paise bigint NOT NULL CHECK (amount_paise >= 0),
      -- The amount before its last change; null for a share that never changed.
      before_paise bigint,
      PRIMARY KEY (document_id, user_id)
    )`.execute(db);
  await sql`CREATE INDEX shares_by_user ON shares (user_id, document_id DESC)`.execute(db);
  await sql`
    CREATE TABLE charge_stops (
      document_id uuid PRIMARY KEY,
      -- The document's version; snapshots of this version or an older one are stale.
      version integer NOT NULL
    )`.execute(db);
}

async function payments(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE payments (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL,
      document_name text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'reversed')),
      -- Set when the debit is requested; the sweeper finishes a pending payment that has it.
      started_at timestamptz,
      transfer_id uuid,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      completed_at timestamptz,
      CHECK ((status IN ('completed', 'reversed')) = (transfer_id IS NOT NULL))
    )`.execute(db);
  // At most one live payment per share: a second request finds the first payment.
  await sql`
    CREATE UNIQUE INDEX payments_one_per_share ON payments (document_id, user_id)
    WHERE status IN ('pending', 'completed')`.execute(db);
  await sql`CREATE INDEX payments_by_user ON payments (user_id, id DESC)`.execute(db);
  await sql`
    CREATE INDEX payments_interrupted ON payments (started_at)
    WHERE status = 'pending' AND started_at IS NOT NULL`.execute(db);
  await sql`CREATE INDEX payments_by_age ON payments (created_at, id)`.execute(db);
  await sql`CREATE INDEX payments_by_status ON payments (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX payments_by_amount ON payments (amount_paise, id)`.execute(db);
  await sql`CREATE INDEX payments_by_document ON payments (document_id, created_at, id)`.execute(db);
  await sql`CREATE INDEX payments_search ON payments USING gin (lower(document_name) gin_trgm_ops)`.execute(
    db,
  );
  await counterTables(db, { table: 'payments', kind: ['status'], amount: 'amount_paise' });
  await sql.raw(PAYMENT_SQL).execute(db);
}

async function cardMovements(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE card_movements (
      id uuid PRIMARY KEY,
      -- The order's id for a top-up, the refund's id for a refund.
      reference text NOT NULL UNIQUE,
      type text NOT NULL CHECK (type IN ('top_up', 'refund')),
      order_id text NOT NULL,
      payment_id text,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      -- For a top-up: paid on top of the amount for the card provider's fee. For a refund: the part of the amount that was
      -- paid for the fee.
      fee_paise bigint NOT NULL DEFAULT 0,
      status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
      -- A later event has a larger one.
      version integer NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX card_movements_by_age ON card_movements (created_at, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_type ON card_movements (type, created_at, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_status ON card_movements (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_amount ON card_movements (amount_paise, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_user ON card_movements (user_id, created_at, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_order ON card_movements (order_id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_payment ON card_movements (payment_id)`.execute(db);
  await counterTables(db, { table: 'card_movements', kind: ['type', 'status'], amount: 'amount_paise' });
}

async function reversals(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE reversals (
      id uuid PRIMARY KEY,
      payment_id uuid NOT NULL REFERENCES payments,
      -- The payer, to whose wallet the money goes.
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      reason text NOT NULL CHECK (reason <> ''),
      -- True beyond the limit of one admin.
      two_people boolean NOT NULL,
      state text NOT NULL CHECK (state IN ('requested', 'decided', 'done', 'declined')),
      requested_by text NOT NULL,
      requested_by_name text NOT NULL,
      requested_at timestamptz NOT NULL DEFAULT now(),
      confirmed_by text,
      confirmed_by_name text,
      declined_by text,
      declined_by_name text,
      decline_reason text,
      -- When it was confirmed, declined, or decided at once.
      decided_at timestamptz,
      -- The wallet's transfer that gave the money back.
      transfer_id uuid,
      done_at timestamptz,
      CONSTRAINT reversals_another_admin CHECK (confirmed_by <> requested_by),
      CONSTRAINT reversals_two_people CHECK (NOT two_people OR state IN ('requested', 'declined') OR confirmed_by IS NOT NULL),
      CONSTRAINT reversals_waits_for_somebody CHECK (state <> 'requested' OR two_people),
      CONSTRAINT reversals_decided CHECK ((state = 'requested') = (decided_at IS NULL)),
      CONSTRAINT reversals_declined CHECK ((state = 'declined') = (declined_by IS NOT NULL)),
      CONSTRAINT reversals_done CHECK ((state = 'done') = (transfer_id IS NOT NULL) AND (state = 'done') = (done_at IS NOT NULL))
    )`.execute(db);
  // A payment is given back at most once. After a declined request there may be another.
  await sql`CREATE UNIQUE INDEX reversals_one_per_payment ON reversals (payment_id) WHERE state <> 'declined'`.execute(
    db,
  );
  await sql`CREATE INDEX reversals_by_user ON reversals (user_id, id)`.execute(db);
  await sql`CREATE INDEX reversals_open ON reversals (state, id) WHERE state IN ('requested', 'decided')`.execute(
    db,
  );
  await sql`CREATE INDEX reversals_alone ON reversals (requested_by, requested_at) WHERE NOT two_people`.execute(
    db,
  );
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are not changed like this', TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER reversals_keep_what_was_asked_for
    BEFORE UPDATE OF id, payment_id, user_id, amount_paise, reason, two_people, requested_by, requested_by_name,
      requested_at OR DELETE OR TRUNCATE ON reversals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TRIGGER reversals_go_forward BEFORE UPDATE ON reversals FOR EACH ROW
    WHEN ((OLD.state, NEW.state) NOT IN (('requested', 'decided'), ('requested', 'declined'), ('decided', 'done')))
    EXECUTE FUNCTION refuse_change()`.execute(db);
}
