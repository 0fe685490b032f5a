import { sql, type Kysely } from 'kysely';

/** Karaar itself reports too: such a report has no reporter, and one of them is open about a user at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE reports ALTER COLUMN reporter_id DROP NOT NULL`.execute(db);
  await sql`
    CREATE UNIQUE INDEX reports_open_automatic ON reports (reported_id, reason)
    WHERE resolved_at IS NULL AND reporter_id IS NULL`.execute(db);
}
