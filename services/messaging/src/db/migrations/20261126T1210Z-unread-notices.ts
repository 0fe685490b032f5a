import { sql, type Kysely } from 'kysely';

/** Up to which message a user was told that messages wait unread. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE threads ADD COLUMN told_seq integer NOT NULL DEFAULT 0`.execute(db);
}
