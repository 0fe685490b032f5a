import { sql, type Kysely } from 'kysely';

/** Photos bound while they are taken, and what the record keeps of where photos came from. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`
    ALTER TABLE verifications
      ADD COLUMN profile_pic_source text NOT NULL DEFAULT 'uploaded',
      ADD COLUMN eye_source text NOT NULL DEFAULT 'uploaded'`.execute(db);
  await sql`ALTER TABLE document_events ADD COLUMN photos jsonb`.execute(db);
}
