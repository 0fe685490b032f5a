import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** Finds the conversations whose reader was not told yet that messages wait unread. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS threads_untold ON threads (user_id)
    WHERE unread > 0 AND told_seq <= read_seq`.execute(db);
}
