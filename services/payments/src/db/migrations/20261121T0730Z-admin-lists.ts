import { directoryLanguage, directoryMarks, directoryTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** What the admins' list of all payments is read by: card payments beside our own, and who the users are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await directoryTables(db);
  await directoryLanguage(db);
  await directoryMarks(db);

  await sql`
    CREATE TABLE card_movements (
      id uuid PRIMARY KEY,
      -- The order of a top-up, the refund itself of a refund.
      reference text NOT NULL UNIQUE,
      type text NOT NULL CHECK (type IN ('top_up', 'refund')),
      order_id text NOT NULL,
      payment_id text,
      user_id uuid NOT NULL,
      amount_paise bigint NOT NULL CHECK (amount_paise > 0),
      status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
      -- A later fact has a larger one.
      version integer NOT NULL,
      created_at timestamptz NOT NULL
    )`.execute(db);
  for (const [table, first] of [
    ['payments', ''],
    ['card_movements', ''],
    ['card_movements', 'type, '],
    ['payments', 'status, '],
    ['card_movements', 'status, '],
  ] as const) {
    const name = `${table}_by_${first.replace(', ', '') || 'age'}`;
    await sql`CREATE INDEX ${sql.raw(name)} ON ${sql.raw(table)} (${sql.raw(first)}created_at, id)`.execute(
      db,
    );
  }
  for (const table of ['payments', 'card_movements'])
    await sql`CREATE INDEX ${sql.raw(`${table}_by_amount`)} ON ${sql.raw(table)} (amount_paise, id)`.execute(
      db,
    );
  await sql`CREATE INDEX payments_by_document ON payments (document_id, created_at, id)`.execute(db);
  await sql`CREATE INDEX payments_search ON payments USING gin (lower(document_name) gin_trgm_ops)`.execute(
    db,
  );
  await sql`CREATE INDEX card_movements_by_user ON card_movements (user_id, created_at, id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_order ON card_movements (order_id)`.execute(db);
  await sql`CREATE INDEX card_movements_by_payment ON card_movements (payment_id)`.execute(db);
}
