import { sql, type Kysely } from 'kysely';

/** Of an invitation and a reminder: the day by which the user was asked to answer, `YYYY-MM-DD` in India. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE notifications ADD COLUMN answer_by text`.execute(db);
}
