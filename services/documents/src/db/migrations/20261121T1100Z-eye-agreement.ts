import { sql, type Kysely } from 'kysely';

/** How alike the eyes on face and eye photo are, and the hint that they are not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE verifications
      ADD COLUMN eye_agreement smallint CHECK (eye_agreement BETWEEN 0 AND 100),
      DROP CONSTRAINT verifications_photo_hints_check,
      ADD CONSTRAINT verifications_photo_hints_check
        CHECK (photo_hints <@ ARRAY['same_photo', 'similar_photo', 'eyes_differ'])`.execute(db);
}
