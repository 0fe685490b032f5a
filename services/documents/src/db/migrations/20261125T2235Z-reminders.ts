import { sql, type Kysely } from 'kysely';

/** How often Karaar reminds by itself of a document, as its creator chooses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE documents ADD COLUMN reminders text NOT NULL DEFAULT 'usual'`.execute(db);
  await sql`
    ALTER TABLE documents ADD CONSTRAINT documents_reminders_check
      CHECK (reminders IN ('off', 'gentle', 'usual')) NOT VALID`.execute(db);
}
