import { sql, type Kysely } from 'kysely';

/** Drafts, previews, idempotency, notices, where a line of the history came from, and the list of one's documents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await sql`CREATE EXTENSION IF NOT EXISTS btree_gin`.execute(db);

  await sql`
    ALTER TABLE documents
      ADD COLUMN target_char_id text,
      ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now()`.execute(db);
  await sql`ALTER TABLE parties ADD COLUMN notice_language text`.execute(db);
  await sql`
    ALTER TABLE document_events
      ADD COLUMN subject_id uuid,
      ADD COLUMN from_address text,
      ADD COLUMN from_device text`.execute(db);

  await sql`
    ALTER TABLE raw_files
      ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
      ADD COLUMN pages integer,
      ADD COLUMN thumb_path text,
      ADD COLUMN preview_path text,
      ADD COLUMN preview_state text NOT NULL DEFAULT 'pending'
        CHECK (preview_state IN ('pending', 'done', 'failed')),
      ADD COLUMN preview_attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN preview_lease_until timestamptz`.execute(db);
  await sql`CREATE INDEX raw_files_to_preview ON raw_files (preview_lease_until) WHERE preview_state = 'pending'`.execute(
    db,
  );
  await sql`CREATE INDEX raw_files_by_thumb ON raw_files (thumb_path) WHERE thumb_path IS NOT NULL`.execute(
    db,
  );
  await sql`CREATE INDEX raw_files_by_preview ON raw_files (preview_path) WHERE preview_path IS NOT NULL`.execute(
    db,
  );

  await sql`
    CREATE TABLE idempotency_keys (
      user_id uuid NOT NULL,
      key text NOT NULL,
      request_sha256 text NOT NULL,
      answer jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, key)
    )`.execute(db);
  await sql`CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`.execute(db);

  await sql`
    CREATE TABLE join_misses (
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX join_misses_by_user ON join_misses (user_id, at)`.execute(db);

  await sql`
    CREATE TABLE notices (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      sender_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('invited', 'reminder', 'starts_soon')),
      -- What may be sent once only, such as the reminder three days before the start.
      once text UNIQUE,
      language text,
      state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'sending', 'sent', 'skipped', 'failed')),
      reason text,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX notices_open ON notices (due_at) WHERE state IN ('queued', 'sending')`.execute(db);
  await sql`CREATE INDEX notices_by_party ON notices (document_id, user_id, kind, created_at)`.execute(db);
  await sql`CREATE INDEX notices_by_sender ON notices (sender_id, created_at)`.execute(db);
  await sql`CREATE TABLE notice_settings (user_id uuid PRIMARY KEY, sms_notices boolean NOT NULL)`.execute(
    db,
  );
  await sql`CREATE INDEX documents_waiting_by_start ON documents (start_date)
    WHERE status IN ('pending', 'pending_approval')`.execute(db);

  await sql`
    CREATE TABLE my_documents (
      user_id uuid NOT NULL,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      status text NOT NULL,
      -- An invitation that this user has not answered.
      waiting boolean NOT NULL,
      name_key text NOT NULL,
      search text NOT NULL,
      changed_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, document_id)
    )`.execute(db);
  await sql`CREATE INDEX my_documents_by_status ON my_documents (user_id, status, document_id)`.execute(db);
  await sql`CREATE INDEX my_documents_by_name ON my_documents (user_id, name_key, document_id) INCLUDE (status)`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_by_change ON my_documents (user_id, changed_at, document_id) INCLUDE (status)`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_waiting ON my_documents (user_id, document_id) WHERE waiting`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_by_document ON my_documents (document_id)`.execute(db);
  await sql`CREATE INDEX my_documents_search ON my_documents USING gin (user_id, search gin_trgm_ops)`.execute(
    db,
  );
  await sql`
    INSERT INTO my_documents (user_id, document_id, status, waiting, name_key, search, changed_at)
    SELECT p.user_id, d.id, d.status,
      p.state = 'invited' AND d.status IN ('pending', 'pending_approval'),
      left(lower(d.name), 200),
      lower(concat_ws(' ', d.name, d.document_code, d.location)),
      d.created_at
    FROM documents d JOIN parties p ON p.document_id = d.id
    WHERE p.state <> 'requested'`.execute(db);
}
