import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** What a user has asked to join, and what a creator has not paid: both few among many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS parties_requested ON parties (user_id, document_id)
    WHERE state = 'requested'`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS documents_to_pay ON documents (primary_user, id)
    WHERE status = 'finalized' AND NOT paid`.execute(db);
}
