import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** Where sealed agreements are found that end soon. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS documents_by_end ON documents (end_date)
    WHERE status = 'finalized'`.execute(db);
}
