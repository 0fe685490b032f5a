import { sql, type Kysely } from 'kysely';

/**
 * Files are made the pages that will be sealed when they are uploaded. `raw_files.preview_path` holds those pages, with
 * their hash; files of documents that are not sealed yet get theirs from the worker. `uploads` holds files that were
 * sent while the form is still filled in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE raw_files
      ADD COLUMN preview_sha256 text,
      ADD COLUMN pictures int[] NOT NULL DEFAULT '{}'`.execute(db);
  await sql`
    UPDATE raw_files SET preview_state = 'pending', preview_attempts = 0, preview_lease_until = NULL
    FROM documents WHERE documents.id = raw_files.document_id AND documents.final_path IS NULL`.execute(db);
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
      pages int,
      pages_done int NOT NULL DEFAULT 0,
      preview_path text,
      preview_sha256 text,
      thumb_path text,
      pictures int[] NOT NULL DEFAULT '{}',
      fault text,
      reason text,
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX uploads_by_user ON uploads (user_id)`.execute(db);
  await sql`CREATE INDEX uploads_to_check ON uploads (created_at) WHERE state = 'checking'`.execute(db);
  await sql`CREATE INDEX uploads_by_expiry ON uploads (expires_at)`.execute(db);
}
