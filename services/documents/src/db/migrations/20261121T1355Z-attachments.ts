import { sql, type Kysely } from 'kysely';

/** Attachments are listed with their document, and opened by their path. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX attachments_by_document ON attachments (document_id)`.execute(db);
  await sql`CREATE INDEX attachments_by_path ON attachments (path)`.execute(db);
}
