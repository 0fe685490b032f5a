import { sql, type Kysely } from 'kysely';

/** Who took a document's evidence along, when and why: other parties are not told of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE court_packs (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents (id),
      user_id uuid NOT NULL,
      reason text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX court_packs_by_document ON court_packs (document_id, created_at)`.execute(db);
  await sql`CREATE INDEX court_packs_by_user ON court_packs (user_id)`.execute(db);
}
