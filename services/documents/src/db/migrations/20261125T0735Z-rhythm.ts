import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** Whom to remind by itself: those who were invited or admitted some days ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS notices_of_beginnings ON notices (created_at)
    WHERE kind IN ('invited', 'admitted')`.execute(db);
}
