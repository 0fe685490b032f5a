import { sql, type Kysely } from 'kysely';

/**
 * The day by which the creator asks a party, or the person of an open invitation, to answer (docs/adr/0083): `YYYY-MM-DD`
 * in India, as text like the dates of a document.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE parties ADD COLUMN answer_by text`.execute(db);
  await sql`ALTER TABLE open_invitations ADD COLUMN answer_by text`.execute(db);
}
