import { sql, type Kysely } from 'kysely';

export async function verifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE verifications (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      profile_pic text NOT NULL,
      profile_pic_sha256 text NOT NULL,
      profile_pic_source text NOT NULL DEFAULT 'unstated',
      profile_pic_likeness bit(64),
      -- Where the face is on the photo, so that the photo is cut around it.
      face_box jsonb,
      eye text NOT NULL,
      eye_sha256 text NOT NULL,
      eye_source text NOT NULL DEFAULT 'unstated',
      eye_likeness bit(64),
      -- How alike the eyes on face and eye photo are.
      eye_agreement smallint CHECK (eye_agreement BETWEEN 0 AND 100),
      sign text NOT NULL,
      sign_sha256 text NOT NULL,
      sign_method text NOT NULL DEFAULT 'unstated'
        CHECK (sign_method IN ('drawn', 'typed', 'uploaded', 'unstated')),
      thumb text,
      thumb_sha256 text,
      likeness_bands text[] NOT NULL DEFAULT '{}',
      photo_hints text[] NOT NULL DEFAULT '{}' CHECK (
        photo_hints <@ ARRAY['one_image_twice', 'shared_image', 'same_photo', 'similar_photo', 'eyes_differ']
      ),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (document_id, user_id)
    )`.execute(db);
  await sql`CREATE INDEX verifications_likeness_bands ON verifications USING gin (likeness_bands)`.execute(
    db,
  );
  await sql`CREATE INDEX verifications_profile_pic_sha256 ON verifications (profile_pic_sha256)`.execute(db);
  await sql`CREATE INDEX verifications_eye_sha256 ON verifications (eye_sha256)`.execute(db);
  await sql`
    CREATE TABLE live_captures (
      nonce_sha256 text PRIMARY KEY,
      user_id uuid NOT NULL,
      subject text NOT NULL,
      step text NOT NULL CHECK (step IN ('profile_pic', 'eye')),
      issued_at timestamptz NOT NULL DEFAULT now(),
      photo_sha256 text,
      bound_at timestamptz,
      used_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX live_captures_user ON live_captures (user_id, issued_at)`.execute(db);
  await orphanedImages(db);
}

/**
 * Images that no verification references any more, because the party was removed or verified again. A trigger
 * records them in the same transaction; a worker erases them.
 */
async function orphanedImages(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE orphaned_images (
      path text PRIMARY KEY,
      due_at timestamptz NOT NULL DEFAULT now(),
      attempts integer NOT NULL DEFAULT 0
    )`.execute(db);
  await sql`CREATE INDEX orphaned_images_due ON orphaned_images (due_at)`.execute(db);
  await sql`
    CREATE FUNCTION note_orphaned_images() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO orphaned_images (path)
      SELECT path FROM unnest(ARRAY[OLD.profile_pic, OLD.eye, OLD.sign, OLD.thumb]) AS path
      WHERE path IS NOT NULL AND (TG_OP = 'DELETE'
        OR path <> ALL (array_remove(ARRAY[NEW.profile_pic, NEW.eye, NEW.sign, NEW.thumb], NULL)))
      ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER verifications_orphaned AFTER UPDATE OR DELETE ON verifications
    FOR EACH ROW EXECUTE FUNCTION note_orphaned_images()`.execute(db);
}
