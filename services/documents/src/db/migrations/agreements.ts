import { addPartitions } from '@karaar/db/partitions';
import { counterTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';

export async function agreements(db: Kysely<unknown>): Promise<void> {
  await documents(db);
  await parties(db);
  await approvals(db);
  await history(db);
  await lists(db);
  await finalization(db);
  await pricing(db);
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE documents (
      id uuid PRIMARY KEY,
      document_code text NOT NULL UNIQUE CHECK (document_code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
      name text NOT NULL CHECK (length(name) > 0),
      location text,
      -- Days are texts, YYYY-MM-DD: a day in India has no time zone to shift it by.
      start_date text CHECK (start_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      end_date text CHECK (end_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
      description text,
      page_details jsonb NOT NULL DEFAULT '[]',
      status text NOT NULL
        CHECK (status IN ('draft', 'pending', 'pending_approval', 'approved', 'finalized', 'rejected')),
      primary_user uuid NOT NULL,
      target_char_id text,
      reminders text NOT NULL DEFAULT 'usual' CHECK (reminders IN ('off', 'gentle', 'usual')),
      finalizing boolean NOT NULL DEFAULT false,
      cancelled boolean NOT NULL DEFAULT false,
      -- Whether a passed answer-by date without the answer cancels the document.
      cancel_late boolean NOT NULL DEFAULT false,
      blockchain boolean NOT NULL DEFAULT false,
      daily_rate_paise bigint NOT NULL CHECK (daily_rate_paise > 0),
      paid boolean NOT NULL DEFAULT false,
      -- Orders the events about the charge, which may arrive in any order.
      charge_number integer NOT NULL DEFAULT 0,
      version integer NOT NULL,
      -- Of files and terms.
      content_version integer NOT NULL DEFAULT 1,
      final_path text,
      final_sha256 text,
      final_pages jsonb,
      created_at timestamptz NOT NULL DEFAULT now(),
      changed_at timestamptz NOT NULL DEFAULT now(),
      finalized_at timestamptz,
      CHECK (status <> 'finalized' OR final_path IS NOT NULL),
      CHECK (NOT cancelled OR status = 'rejected')
    )`.execute(db);
  await sql`CREATE INDEX documents_by_final_path ON documents (final_path) WHERE final_path IS NOT NULL`.execute(
    db,
  );
  await sql`
    CREATE INDEX documents_waiting_by_start ON documents (start_date)
    WHERE status IN ('pending', 'pending_approval')`.execute(db);
  await sql`
    CREATE INDEX documents_to_cancel_late ON documents (id)
    WHERE cancel_late AND status IN ('pending', 'pending_approval')`.execute(db);
  await sql`CREATE INDEX documents_by_end ON documents (end_date) WHERE status = 'finalized'`.execute(db);
  await sql`
    CREATE INDEX documents_to_pay ON documents (primary_user, id) WHERE status = 'finalized' AND NOT paid`.execute(
    db,
  );
  await sql`CREATE INDEX documents_by_age ON documents (created_at, id)`.execute(db);
  await sql`CREATE INDEX documents_by_status ON documents (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX documents_by_name ON documents (lower(name), id)`.execute(db);
  await sql`CREATE INDEX documents_by_status_and_name ON documents (status, lower(name), id)`.execute(db);
  await sql`
    CREATE INDEX documents_search ON documents
    USING gin (lower(name) gin_trgm_ops, lower(location) gin_trgm_ops)`.execute(db);
  await counterTables(db, { table: 'documents', kind: ['status'] });
  await sql`
    CREATE TABLE expiry_tellings (
      document_id uuid PRIMARY KEY REFERENCES documents,
      told_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  // Downloads of court packs, with their reasons. The other parties cannot see them.
  await sql`
    CREATE TABLE court_packs (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents,
      user_id uuid NOT NULL,
      reason text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX court_packs_by_document ON court_packs (document_id, created_at)`.execute(db);
  await sql`CREATE INDEX court_packs_by_user ON court_packs (user_id)`.execute(db);
}

async function parties(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE parties (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      position integer NOT NULL,
      state text NOT NULL
        CHECK (state IN ('primary', 'invited', 'requested', 'admitted', 'approved', 'rejected')),
      approved boolean NOT NULL,
      approved_at timestamptz,
      approved_files_sha256 text,
      verified boolean NOT NULL,
      notice_language text,
      -- Typed with at most 500 characters, of which NFC makes up to three times as many.
      reject_reason text CHECK (length(reject_reason) <= 1500),
      -- The day by which the creator asks this party to answer (docs/adr/0083), YYYY-MM-DD in India.
      answer_by text,
      PRIMARY KEY (document_id, user_id),
      CHECK (approved = (approved_at IS NOT NULL)),
      CHECK (approved = (approved_files_sha256 IS NOT NULL))
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX parties_one_primary ON parties (document_id) WHERE state = 'primary'`.execute(
    db,
  );
  await sql`CREATE INDEX parties_by_user ON parties (user_id, document_id DESC)`.execute(db);
  await sql`CREATE INDEX parties_requested ON parties (user_id, document_id) WHERE state = 'requested'`.execute(
    db,
  );
  await sql`CREATE INDEX parties_by_answer_by ON parties (answer_by) WHERE answer_by IS NOT NULL`.execute(db);
  await sql`
    CREATE INDEX parties_dated_of_user ON parties (user_id, answer_by) WHERE answer_by IS NOT NULL`.execute(
    db,
  );
  // A rename adds a row, so that earlier acts keep their names.
  await sql`
    CREATE TABLE party_names (
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      name text NOT NULL,
      PRIMARY KEY (document_id, user_id, at)
    )`.execute(db);
  await sql`CREATE INDEX party_names_by_user ON party_names (user_id)`.execute(db);
  await sql`
    CREATE TRIGGER party_names_stay BEFORE UPDATE OR TRUNCATE ON party_names
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  await sql`
    CREATE TABLE join_misses (
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX join_misses_by_user ON join_misses (user_id, at)`.execute(db);
}

async function approvals(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approvals (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      approved_at timestamptz NOT NULL,
      -- Hex SHA-256 of the files, pages and terms that the server would have shown then.
      content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
      -- Canonical JSON.
      statement text NOT NULL,
      withdrawn_at timestamptz
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX approvals_one_in_force ON approvals (document_id, user_id)
    WHERE withdrawn_at IS NULL`.execute(db);
  await sql`CREATE INDEX approvals_by_user ON approvals (user_id, document_id)`.execute(db);
  await sql`
    CREATE TRIGGER approvals_stay
    BEFORE UPDATE OF id, document_id, user_id, approved_at, content_hash, statement OR TRUNCATE
    ON approvals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

async function history(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE document_events (
      id uuid NOT NULL,
      document_id uuid NOT NULL REFERENCES documents,
      seq bigserial NOT NULL,
      type text NOT NULL,
      actor_id uuid,
      subject_id uuid,
      detail text NOT NULL,
      reason text,
      status_from text,
      status_to text NOT NULL,
      files_sha256 text NOT NULL,
      photos jsonb,
      from_address text,
      from_device text,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (document_id, id)
    ) PARTITION BY RANGE (document_id)`.execute(db);
  await sql`CREATE INDEX document_events_by_document ON document_events (document_id, seq)`.execute(db);
  // Finds the reasons to erase when an account is deleted.
  await sql`CREATE INDEX document_events_reasons ON document_events (actor_id) WHERE reason IS NOT NULL`.execute(
    db,
  );
  // A line never changes, except that its reason is erased with the author's account.
  await sql`
    CREATE TRIGGER document_events_append_only
    BEFORE UPDATE OF id, document_id, seq, type, actor_id, detail, status_from, status_to, files_sha256, at, subject_id,
      from_address, from_device, photos OR DELETE OR TRUNCATE ON document_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  // Partitioned by the month in which the document was created, because a history is read and written per
  // document: each history is in one partition.
  await addPartitions(db, { table: 'document_events', key: 'document_id', months: 1 });
}

async function lists(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE my_documents (
      user_id uuid NOT NULL,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      status text NOT NULL,
      -- An invitation that this user has not answered.
      waiting boolean NOT NULL,
      name_key text NOT NULL,
      search text NOT NULL,
      -- At most 1,600 bytes, with the name below what an index entry may have. The few longer ones have an index of their own.
      search_head text NOT NULL GENERATED ALWAYS AS (left(search, 400)) STORED,
      changed_at timestamptz NOT NULL,
      -- The user has archived the document: it is not in the user's list.
      archived boolean NOT NULL DEFAULT false,
      PRIMARY KEY (user_id, document_id)
    )`.execute(db);
  await sql`
    CREATE TABLE document_labels (
      user_id uuid NOT NULL,
      document_id uuid NOT NULL,
      name text NOT NULL,
      PRIMARY KEY (user_id, document_id, name),
      FOREIGN KEY (user_id, document_id) REFERENCES my_documents ON DELETE CASCADE
    )`.execute(db);
  await sql`CREATE INDEX document_labels_by_name ON document_labels (user_id, name, document_id)`.execute(db);
  await sql`CREATE INDEX my_documents_by_status ON my_documents (user_id, status, document_id) INCLUDE (archived)`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_by_name ON my_documents (user_id, name_key, document_id) INCLUDE (status, archived)`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_by_change ON my_documents (user_id, changed_at, document_id) INCLUDE (status, archived)`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_waiting ON my_documents (user_id, document_id) WHERE waiting`.execute(
    db,
  );
  await sql`CREATE INDEX my_documents_by_document ON my_documents (document_id)`.execute(db);
  // A search scans one user's entries in an index that contains all columns it needs. A trigram index would
  // fetch each matching row from the table, which is slow for a common word of an owner with 100,000 documents.
  await sql`
    CREATE INDEX my_documents_by_search ON my_documents (user_id, document_id)
    INCLUDE (status, name_key, changed_at, search_head, archived)`.execute(db);
  await sql`
    CREATE INDEX my_documents_long_search ON my_documents (user_id, document_id) WHERE length(search) > 400`.execute(
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
}

async function finalization(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE finalization_jobs (
      document_id uuid PRIMARY KEY REFERENCES documents,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      -- A number for each claim, which only grows; attempts begin again with each request.
      fence bigint NOT NULL DEFAULT 0,
      lease_until timestamptz,
      detail text,
      progress jsonb,
      progress_no integer NOT NULL DEFAULT 0,
      fault_code text,
      fault_file text,
      -- The words about the law that the certificate shows, as they were when the creator finalized.
      law jsonb NOT NULL,
      requested_by uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE INDEX finalization_jobs_open ON finalization_jobs (created_at)
    WHERE state IN ('queued', 'running')`.execute(db);
}

async function pricing(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE pricing (
      id serial PRIMARY KEY,
      daily_rate_paise bigint NOT NULL CHECK (daily_rate_paise > 0),
      author_id uuid NOT NULL,
      author_name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  // A row never changes, except that its author's name is erased with the account.
  await sql`
    CREATE TRIGGER pricing_append_only
    BEFORE UPDATE OF id, daily_rate_paise, author_id, created_at OR DELETE OR TRUNCATE ON pricing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
  // The admins' switch for price changes by users. The newest row applies; without a row, users may change the price.
  await sql`
    CREATE TABLE pricing_editing (
      id serial PRIMARY KEY,
      enabled boolean NOT NULL,
      author_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TRIGGER pricing_editing_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON pricing_editing
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}
