import { sql, type Kysely } from 'kysely';

/** What the ledger's months held when they were proved, and when its next proof is due (ADR 0070). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE ledger_months (
      -- Of UTC, such as 2026_11.
      month text PRIMARY KEY,
      -- The month's transfers are those from here on and before there; the first month begins with every id.
      lower_id uuid NOT NULL UNIQUE,
      upper_id uuid NOT NULL UNIQUE,
      transfers bigint NOT NULL,
      entries bigint NOT NULL,
      moved_paise numeric NOT NULL,
      -- Of every row of transfers and entries in it.
      digest text NOT NULL,
      -- Of all of ledger_account_sums, as it was when this month was closed.
      sums_digest text NOT NULL,
      closed_at timestamptz NOT NULL DEFAULT now(),
      -- When the rows were last read again, and whether they were still these.
      read_at timestamptz NOT NULL DEFAULT now(),
      sound boolean NOT NULL DEFAULT true,
      CHECK (lower_id < upper_id)
    )`.execute(db);
  await sql`
    CREATE TRIGGER ledger_months_stay BEFORE DELETE OR TRUNCATE ON ledger_months
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TRIGGER ledger_months_keep_what_was_proved BEFORE UPDATE OF
      month, lower_id, upper_id, transfers, entries, moved_paise, digest, sums_digest, closed_at ON ledger_months
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TABLE ledger_account_sums (
      account_id uuid PRIMARY KEY,
      -- Of its entries in the closed months.
      paise numeric NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE ledger_proof (
      id integer PRIMARY KEY CHECK (id = 1),
      -- Not at once: a new installation has nothing to prove.
      next_at timestamptz NOT NULL DEFAULT now() + interval '1 hour',
      lease_until timestamptz,
      attempts integer NOT NULL DEFAULT 0,
      -- Until the first proof: since when there could have been one.
      checked_at timestamptz NOT NULL DEFAULT now(),
      faults integer NOT NULL DEFAULT 0,
      -- The proof of all rows, whatever was proved before.
      whole_at timestamptz NOT NULL DEFAULT now(),
      whole_faults integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`INSERT INTO ledger_proof (id) VALUES (1)`.execute(db);
}
