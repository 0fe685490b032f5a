import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** Whom to remind of a date, and which of a user's documents have the soonest dates. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS parties_by_answer_by ON parties (answer_by)
    WHERE answer_by IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS parties_dated_of_user ON parties (user_id, answer_by)
    WHERE answer_by IS NOT NULL`.execute(db);
}
