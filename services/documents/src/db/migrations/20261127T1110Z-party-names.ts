import { sql, type Kysely } from 'kysely';

/** The names under which people act in a document: a later name adds a row, so that an earlier act keeps its name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE party_names (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      name text NOT NULL,
      PRIMARY KEY (document_id, user_id, at)
    )`.execute(db);
  await sql`
    CREATE TRIGGER party_names_stay BEFORE UPDATE OR TRUNCATE ON party_names
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`CREATE INDEX party_names_by_user ON party_names (user_id)`.execute(db);
}
