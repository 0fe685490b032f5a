import { sql, type Kysely } from 'kysely';

/** Built beside the running product. */
export const withoutTransaction = true;

/** Whose keys were added and removed when: asked before each act that may have to be confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX CONCURRENTLY IF NOT EXISTS signing_key_entries_by_user ON signing_key_entries (user_tag)`.execute(
    db,
  );
}
