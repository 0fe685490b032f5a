import { sql, type Kysely } from 'kysely';

export async function files(db: Kysely<unknown>): Promise<void> {
  await rawFiles(db);
  await sql`
    CREATE TABLE uploads (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('pdf', 'doc', 'docx', 'image')),
      mime text NOT NULL,
      size bigint NOT NULL,
      sha256 text NOT NULL,
      path text NOT NULL,
      state text NOT NULL DEFAULT 'checking' CHECK (state IN ('checking', 'ready', 'refused')),
      attempts int NOT NULL DEFAULT 0,
      lease_until timestamptz,
      -- Uploads are checked in turn of their senders, and those that take long beside the others.
      claimed_at timestamptz,
      takes_long boolean NOT NULL DEFAULT false,
      pages int,
      pages_done int NOT NULL DEFAULT 0,
      preview_path text,
      preview_sha256 text,
      text_path text,
      thumb_path text,
      pictures int[] NOT NULL DEFAULT '{}',
      picture_reasons text[] NOT NULL DEFAULT '{}',
      left_out text[] NOT NULL DEFAULT '{}',
      fault text,
      reason text,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX uploads_by_user ON uploads (user_id)`.execute(db);
  await sql`CREATE INDEX uploads_to_check ON uploads (created_at) WHERE state = 'checking'`.execute(db);
  await sql`CREATE INDEX uploads_by_expiry ON uploads (expires_at)`.execute(db);
  await sql`
    CREATE TABLE attachments (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents,
      name text NOT NULL,
      mime text NOT NULL,
      size integer NOT NULL,
      sha256 text NOT NULL,
      path text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX attachments_by_document ON attachments (document_id)`.execute(db);
  await sql`CREATE INDEX attachments_by_path ON attachments (path)`.execute(db);
}

async function rawFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE raw_files (
      id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      ordinal integer NOT NULL,
      name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('pdf', 'doc', 'docx', 'image')),
      mime text NOT NULL,
      size integer NOT NULL CHECK (size > 0),
      sha256 text NOT NULL,
      path text NOT NULL,
      pages integer NOT NULL,
      -- The pages that will be sealed.
      preview_path text NOT NULL,
      preview_sha256 text NOT NULL,
      text_path text NOT NULL,
      thumb_path text NOT NULL,
      -- Pages that are pictures, why, and when the creator accepted that.
      pictures int[] NOT NULL DEFAULT '{}',
      picture_reasons text[] NOT NULL DEFAULT '{}',
      pictures_accepted_at timestamptz,
      -- Parts of the file that its pages do not hold, and when the creator accepted that.
      left_out text[] NOT NULL DEFAULT '{}',
      left_out_accepted_at timestamptz,
      PRIMARY KEY (document_id, ordinal)
    )`.execute(db);
  await sql`CREATE INDEX raw_files_by_path ON raw_files (path)`.execute(db);
  await sql`CREATE INDEX raw_files_by_thumb ON raw_files (thumb_path)`.execute(db);
  await sql`CREATE INDEX raw_files_by_preview ON raw_files (preview_path)`.execute(db);
  // The pages and the list of omitted parts do not change while an approval of them is in force.
  await sql`
    CREATE FUNCTION refuse_other_pages() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT FROM approvals WHERE document_id = OLD.document_id AND withdrawn_at IS NULL
      ) THEN
        RAISE EXCEPTION 'these pages were approved' USING ERRCODE = 'integrity_constraint_violation';
      END IF;
      RETURN NEW;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER raw_files_pages_stay
    BEFORE UPDATE OF preview_path, preview_sha256, pictures ON raw_files
    FOR EACH ROW WHEN (
      OLD.preview_path IS DISTINCT FROM NEW.preview_path
      OR OLD.preview_sha256 IS DISTINCT FROM NEW.preview_sha256
      OR OLD.pictures IS DISTINCT FROM NEW.pictures
    ) EXECUTE FUNCTION refuse_other_pages()`.execute(db);
  await sql`
    CREATE TRIGGER raw_files_left_out_stays
    BEFORE UPDATE OF left_out, left_out_accepted_at ON raw_files
    FOR EACH ROW WHEN (
      OLD.left_out IS DISTINCT FROM NEW.left_out
      OR OLD.left_out_accepted_at IS DISTINCT FROM NEW.left_out_accepted_at
    ) EXECUTE FUNCTION refuse_other_pages()`.execute(db);
}
