import { sql, type Kysely } from 'kysely';
import { contentHash, type ApprovedContent } from './approved-content.ts';

/**
 * Approvals as rows of their own, parties who are admitted and have not approved, reasons, and the messages that go with
 * them.
 *
 * Approvals from before: the hash of what was shown is known where the files are the ones that were approved (terms never
 * change once a document is submitted), and null elsewhere. There was no statement, so there is none. Whose act it was is
 * read from the history: an approval without a line of the party's own at its moment was the creator's click.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE documents ADD COLUMN content_version integer NOT NULL DEFAULT 1`.execute(db);
  await sql`
    ALTER TABLE parties
      DROP CONSTRAINT parties_state_check,
      ADD CONSTRAINT parties_state_check
        CHECK (state IN ('primary', 'invited', 'requested', 'admitted', 'approved', 'rejected')),
      ADD COLUMN reject_reason text CHECK (length(reject_reason) <= 500)`.execute(db);
  await sql`
    ALTER TABLE notices
      DROP CONSTRAINT notices_kind_check,
      ADD CONSTRAINT notices_kind_check
        CHECK (kind IN ('invited', 'admitted', 'reminder', 'starts_soon', 'withdrawn'))`.execute(db);
  await reasonsInHistory(db);
  await approvals(db);
}

/** A line of the history stays as it is for ever, but for a reason in a party's own words, which goes with the account. */
async function reasonsInHistory(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE document_events ADD COLUMN reason text`.execute(db);
  // By whom reasons are found when an account is deleted.
  await sql`CREATE INDEX document_events_reasons ON document_events (actor_id) WHERE reason IS NOT NULL`.execute(
    db,
  );
  await sql`DROP TRIGGER document_events_append_only ON document_events`.execute(db);
  await sql`
    CREATE TRIGGER document_events_append_only
    BEFORE UPDATE OF id, document_id, seq, type, actor_id, detail, status_from, status_to, files_sha256, at, subject_id,
      from_address, from_device, photos OR DELETE OR TRUNCATE ON document_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

async function approvals(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approvals (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      approved_at timestamptz NOT NULL,
      -- Hex SHA-256 of the files and terms that the server would have shown then; null where that is not known.
      content_hash text CHECK (content_hash ~ '^[0-9a-f]{64}$'),
      -- Canonical JSON; null for approvals from before there were statements.
      statement text,
      basis text NOT NULL CHECK (basis IN ('own', 'creator')),
      withdrawn_at timestamptz,
      CHECK (basis = 'own' OR statement IS NULL),
      CHECK (statement IS NULL OR content_hash IS NOT NULL)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX approvals_one_in_force ON approvals (document_id, user_id)
    WHERE withdrawn_at IS NULL`.execute(db);
  await sql`CREATE INDEX approvals_by_user ON approvals (user_id, document_id)`.execute(db);
  await approvalsFromBefore(db);
  await sql`
    CREATE TRIGGER approvals_stay
    BEFORE UPDATE OF id, document_id, user_id, approved_at, content_hash, statement, basis OR TRUNCATE ON approvals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

type Approved = ApprovedContent & {
  files_sha256: string;
  parties: { user_id: string; approved_at: string; files_sha256: string; own: boolean }[];
};

const AT_ONCE = 500;

async function approvalsFromBefore(db: Kysely<unknown>): Promise<void> {
  for (let after: string | null = null; ;) {
    const documents: Approved[] = await approvedDocuments(db, after);
    for (const document of documents) await insertApprovals(db, document);
    const last = documents.at(-1);
    if (!last || documents.length < AT_ONCE) return;
    after = last.document.id;
  }
}

async function insertApprovals(db: Kysely<unknown>, document: Approved): Promise<void> {
  const hash = contentHash(document);
  for (const party of document.parties) {
    const shown = party.files_sha256 === document.files_sha256 ? hash : null;
    await sql`
      INSERT INTO approvals (id, document_id, user_id, approved_at, content_hash, basis)
      VALUES (uuidv7(), ${document.document.id}, ${party.user_id}, ${party.approved_at}, ${shown},
        ${party.own ? 'own' : 'creator'})`.execute(db);
  }
}

async function approvedDocuments(db: Kysely<unknown>, after: string | null): Promise<Approved[]> {
  const { rows } = await sql<Approved>`
    SELECT json_build_object('id', d.id, 'code', d.document_code, 'version', d.content_version) AS document,
      json_build_object('name', d.name, 'location', d.location, 'start_date', d.start_date, 'end_date', d.end_date,
        'description', d.description, 'page_details', d.page_details) AS terms,
      f.files, f.files_sha256, p.parties
    FROM documents d, LATERAL (
      SELECT coalesce(json_agg(json_build_object('name', name, 'sha256', sha256, 'bytes', size) ORDER BY ordinal), '[]')
          AS files,
        encode(sha256(convert_to(coalesce(string_agg(concat(ordinal, ':', sha256, chr(10)), '' ORDER BY ordinal), ''),
          'UTF8')), 'hex') AS files_sha256
      FROM raw_files WHERE document_id = d.id
    ) f, LATERAL (
      SELECT json_agg(json_build_object('user_id', user_id, 'approved_at', approved_at,
        'files_sha256', approved_files_sha256,
        'own', state = 'primary' OR EXISTS (
          SELECT FROM document_events e
          WHERE e.document_id = d.id AND e.actor_id = parties.user_id
            AND e.type IN ('party.accepted', 'party.approved')
            -- Both were written in one transaction: the approval has the time of its beginning.
            AND e.at BETWEEN parties.approved_at AND parties.approved_at + interval '1 minute'
        )) ORDER BY position) AS parties
      FROM parties WHERE document_id = d.id AND approved
    ) p
    WHERE p.parties IS NOT NULL AND (${after}::uuid IS NULL OR d.id > ${after}::uuid)
    ORDER BY d.id LIMIT ${AT_ONCE}`.execute(db);
  return rows;
}
