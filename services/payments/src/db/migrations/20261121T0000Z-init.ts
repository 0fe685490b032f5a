import { busTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** The payments database: who pays which share of a document, and each payment's state. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await sql`
    CREATE TABLE distributions (
      document_id uuid PRIMARY KEY,
      total_paise bigint NOT NULL CHECK (total_paise > 0),
      duration_days integer NOT NULL CHECK (duration_days > 0),
      created_by uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE shares (
      document_id uuid NOT NULL REFERENCES distributions ON DELETE CASCADE,
      user_id uuid NOT NULL,
      position integer NOT NULL,
      percentage numeric(7, 4) NOT NULL CHECK (percentage BETWEEN 0 AND 100),
      amount_paise bigint NOT NULL CHECK (amount_paise >= 0),
      PRIMARY KEY (document_id, user_id)
    )`.execute(db);
  await sql`
    CREATE TABLE payments (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL,
      document_name text NOT NULL,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
      -- Set when the debit was asked for; a pending payment with it is finished by the sweeper.
      started_at timestamptz,
      transfer_id uuid,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      CHECK ((status = 'completed') = (transfer_id IS NOT NULL))
    )`.execute(db);
  // One payment per share: whoever comes second finds the first.
  await sql`
    CREATE UNIQUE INDEX payments_one_per_share ON payments (document_id, user_id)
    WHERE status IN ('pending', 'completed')`.execute(db);
  await sql`CREATE INDEX payments_by_user ON payments (user_id, id DESC)`.execute(db);
  await sql`
    CREATE INDEX payments_interrupted ON payments (started_at)
    WHERE status = 'pending' AND started_at IS NOT NULL`.execute(db);
}
