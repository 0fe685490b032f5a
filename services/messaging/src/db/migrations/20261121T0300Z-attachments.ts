import { sql, type Kysely } from 'kysely';

/** A file with a message: where its blob is, and what it was called. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE messages ADD COLUMN attachment jsonb`.execute(db);
}
