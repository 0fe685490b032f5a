import { sql, type Kysely } from 'kysely';

/** Read beside the running product. */
export const withoutTransaction = true;

/** Holds the documents that were there to the words of the rhythm as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE documents VALIDATE CONSTRAINT documents_reminders_check`.execute(db);
}
