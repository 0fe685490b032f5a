import { sql, type Kysely } from 'kysely';

/** Of which sealed agreements it was told that they end soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE expiry_tellings (
      document_id uuid PRIMARY KEY REFERENCES documents (id),
      told_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
}
