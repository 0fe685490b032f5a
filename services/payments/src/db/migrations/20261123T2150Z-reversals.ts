import { sql, type Kysely } from 'kysely';
import { REVERSALS_SQL } from './reversals.sql.ts';

/** Payments that an admin gives back: who asked for it, who confirmed it, and how far it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE payments DROP CONSTRAINT payments_status_check, DROP CONSTRAINT payments_check`.execute(
    db,
  );
  await sql`
    ALTER TABLE payments
      ADD CONSTRAINT payments_status_check CHECK (status IN ('pending', 'completed', 'failed', 'reversed')),
      ADD CONSTRAINT payments_check CHECK ((status IN ('completed', 'reversed')) = (transfer_id IS NOT NULL))`.execute(
    db,
  );
  await sql`
    CREATE TABLE reversals (
      id uuid PRIMARY KEY,
      payment_id uuid NOT NULL REFERENCES payments,
      -- The payer, to whose wallet the money goes.
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      reason text NOT NULL CHECK (reason <> ''),
      -- Beyond what one admin may give back alone.
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
      -- When it was confirmed or declined, or decided at once.
      decided_at timestamptz,
      -- Of the wallet: the money is back.
      transfer_id uuid,
      done_at timestamptz,
      CONSTRAINT reversals_another_admin CHECK (confirmed_by <> requested_by),
      CONSTRAINT reversals_two_people CHECK (NOT two_people OR state IN ('requested', 'declined') OR confirmed_by IS NOT NULL),
      CONSTRAINT reversals_waits_for_somebody CHECK (state <> 'requested' OR two_people),
      CONSTRAINT reversals_decided CHECK ((state = 'requested') = (decided_at IS NULL)),
      CONSTRAINT reversals_declined CHECK ((state = 'declined') = (declined_by IS NOT NULL)),
      CONSTRAINT reversals_done CHECK ((state = 'done') = (transfer_id IS NOT NULL) AND (state = 'done') = (done_at IS NOT NULL))
    )`.execute(db);
  // A payment is given back once; one that was declined may be asked for again.
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
  await sql.raw(REVERSALS_SQL).execute(db);
}
