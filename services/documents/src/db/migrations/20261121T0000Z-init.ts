import { busTables, directoryTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** The documents database: agreements, their parties and files, the append-only trail, the durable job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await directoryTables(db);

  await sql`
    CREATE TABLE documents (
      id uuid PRIMARY KEY,
      document_code text NOT NULL UNIQUE CHECK (document_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
      name text NOT NULL CHECK (length(name) > 0),
      location text,
      start_date text CHECK (start_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      end_date text CHECK (end_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      description text,
      page_details jsonb NOT NULL DEFAULT '[]',
      status text NOT NULL
        CHECK (status IN ('draft', 'pending', 'pending_approval', 'approved', 'finalized', 'rejected')),
      primary_user uuid NOT NULL,
      finalizing boolean NOT NULL DEFAULT false,
      blockchain boolean NOT NULL DEFAULT false,
      daily_rate_paise bigint NOT NULL CHECK (daily_rate_paise > 0),
      paid boolean NOT NULL DEFAULT false,
      version integer NOT NULL,
      final_path text,
      final_sha256 text,
      final_pages jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      finalized_at timestamptz,
      CHECK (status <> 'finalized' OR final_path IS NOT NULL)
    )`.execute(db);

  await sql`CREATE INDEX documents_by_final_path ON documents (final_path) WHERE final_path IS NOT NULL`.execute(
    db,
  );

  await sql`
    CREATE TABLE parties (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      position integer NOT NULL,
      state text NOT NULL CHECK (state IN ('primary', 'invited', 'requested', 'approved', 'rejected')),
      approved boolean NOT NULL,
      approved_at timestamptz,
      approved_files_sha256 text,
      verified boolean NOT NULL,
      PRIMARY KEY (document_id, user_id),
      CHECK (approved = (approved_at IS NOT NULL)),
      CHECK (approved = (approved_files_sha256 IS NOT NULL))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX parties_one_primary ON parties (document_id) WHERE state = 'primary'`.execute(
    db,
  );
  await sql`CREATE INDEX parties_by_user ON parties (user_id, document_id DESC)`.execute(db);

  await sql`
    CREATE TABLE raw_files (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      ordinal integer NOT NULL,
      name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('pdf', 'doc', 'docx', 'image')),
      mime text NOT NULL,
      size integer NOT NULL CHECK (size > 0),
      sha256 text NOT NULL,
      path text NOT NULL,
      PRIMARY KEY (document_id, ordinal)
    )`.execute(db);
  await sql`CREATE INDEX raw_files_by_path ON raw_files (path)`.execute(db);

  await sql`
    CREATE TABLE verifications (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      profile_pic text NOT NULL,
      profile_pic_sha256 text NOT NULL,
      eye text NOT NULL,
      eye_sha256 text NOT NULL,
      sign text NOT NULL,
      sign_sha256 text NOT NULL,
      thumb text,
      thumb_sha256 text,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (document_id, user_id)
    )`.execute(db);

  await sql`
    CREATE TABLE document_events (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents,
      seq bigserial NOT NULL,
      type text NOT NULL,
      actor_id uuid,
      detail text NOT NULL,
      status_from text,
      status_to text NOT NULL,
      files_sha256 text NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`.execute(db);
  await sql`CREATE INDEX document_events_by_document ON document_events (document_id, seq)`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER document_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON document_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);

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

  await sql`
    CREATE TABLE finalization_jobs (
      document_id uuid PRIMARY KEY REFERENCES documents,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      lease_until timestamptz,
      detail text,
      requested_by uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE INDEX finalization_jobs_open ON finalization_jobs (created_at)
    WHERE state IN ('queued', 'running')`.execute(db);

  await sql`
    CREATE TABLE pricing (
      id serial PRIMARY KEY,
      daily_rate_paise bigint NOT NULL CHECK (daily_rate_paise > 0),
      author_id uuid NOT NULL,
      author_name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TRIGGER pricing_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON pricing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
