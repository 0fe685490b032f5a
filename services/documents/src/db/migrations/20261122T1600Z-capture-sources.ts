import { sql, type Kysely } from 'kysely';

/**
 * How a signature was made and where photos came from. `uploaded` of earlier rows said only that no capture was bound: it
 * is read as `unstated`, here and in the history, which cannot be changed. Images that one person sent twice, or that
 * two parties of a document share, are among what is noticed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE verifications
      ADD COLUMN sign_method text NOT NULL DEFAULT 'unstated'
        CHECK (sign_method IN ('drawn', 'typed', 'uploaded', 'unstated')),
      ALTER COLUMN profile_pic_source SET DEFAULT 'unstated',
      ALTER COLUMN eye_source SET DEFAULT 'unstated',
      DROP CONSTRAINT verifications_photo_hints_check,
      ADD CONSTRAINT verifications_photo_hints_check CHECK (
        photo_hints <@ ARRAY['one_image_twice', 'shared_image', 'same_photo', 'similar_photo', 'eyes_differ']
      )`.execute(db);
}
