import { sql, type Kysely } from 'kysely';

/** Where the face is on a profile photo, so that the photo is cut around it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE verifications ADD COLUMN face_box jsonb`.execute(db);
}
