import { sql, type Kysely } from 'kysely';

/** What makes a photo known again, and what was noticed about the photos of a verification. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE verifications
      ADD COLUMN profile_pic_likeness bit(64),
      ADD COLUMN eye_likeness bit(64),
      ADD COLUMN likeness_bands text[] NOT NULL DEFAULT '{}',
      ADD COLUMN photo_hints text[] NOT NULL DEFAULT '{}'
        CHECK (photo_hints <@ ARRAY['same_photo', 'similar_photo'])`.execute(db);
  await sql`CREATE INDEX verifications_likeness_bands ON verifications USING gin (likeness_bands)`.execute(
    db,
  );
  await sql`CREATE INDEX verifications_profile_pic_sha256 ON verifications (profile_pic_sha256)`.execute(db);
  await sql`CREATE INDEX verifications_eye_sha256 ON verifications (eye_sha256)`.execute(db);
}
