import { sql, type Kysely } from 'kysely';

/** Searches for a whole phone number or e-mail address: so many an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE contact_searches (user_id uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())`.execute(
    db,
  );
  await sql`CREATE INDEX contact_searches_by_user ON contact_searches (user_id, at)`.execute(db);
}
