/** A person's data in this service: for the export, for blockers of a deletion, and for the erasure. */
import { EXPORT_PAGE } from '@karaar/contracts/personal-data';
import type { Tx } from '@karaar/db';
import type { PhotoSource, SignMethod } from '@karaar/contracts/documents/http';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type ExportRow = {
  document_id: string;
  name: string;
  document_code: string;
  status: string;
  location: string | null;
  start_date: string | null;
  end_date: string | null;
  description: string | null;
  part: string;
  approved: boolean;
  approved_at: Date | null;
  reject_reason: string | null;
  answer_by: string | null;
  archived: boolean;
  /** The user's own labels. */
  labels: string[];
  approvals: ExportedApproval[];
  /** The names under which the user acted there, oldest first. */
  names: { name: string; since: string }[];
  /** The user's invitations to phone numbers and addresses that are still open. */
  open_invitations: {
    channel: string;
    contact: string | null;
    invited_at: string;
    expires_at: string;
    answer_by: string | null;
  }[];
  court_packs: { taken_at: string; reason: string }[];
  created_at: Date;
  /** The newest verification; null without one. */
  verified_at: Date | null;
  face_photo_source: PhotoSource | null;
  eye_photo_source: PhotoSource | null;
  signature_method: SignMethod | null;
};

export type ExportedApproval = {
  approved_at: string;
  withdrawn_at: string | null;
  content_hash: string;
  statement: string;
  /** Base64; the signature of the user's passkey over the statement, null for an approval without a passkey. */
  signature: string | null;
};

/**
 * Returns one page, by document id, of a user's agreements with the user's own part, approvals and
 * verification. For an agreement that the user has left, only the approvals.
 */
export async function exportRows(db: Db, userId: string, after: string | null): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    SELECT d.id AS document_id, d.name, d.document_code, d.created_at,
      CASE WHEN p.user_id IS NOT NULL THEN d.status ELSE '' END AS status,
      CASE WHEN p.user_id IS NOT NULL THEN d.location END AS location,
      CASE WHEN p.user_id IS NOT NULL THEN d.start_date END AS start_date,
      CASE WHEN p.user_id IS NOT NULL THEN d.end_date END AS end_date,
      CASE WHEN p.user_id IS NOT NULL THEN d.description END AS description,
      coalesce(p.state, 'left') AS part, coalesce(p.approved, false) AS approved, p.approved_at, p.reject_reason,
      p.answer_by, coalesce(m.archived, false) AS archived,
      v.created_at AS verified_at, v.profile_pic_source AS face_photo_source, v.eye_source AS eye_photo_source,
      v.sign_method AS signature_method,
      (
        SELECT coalesce(json_agg(json_build_object('approved_at', a.approved_at, 'withdrawn_at', a.withdrawn_at,
          'content_hash', a.content_hash, 'statement', a.statement,
          'signature', encode(s.signature, 'base64')) ORDER BY a.approved_at), '[]')
        FROM approvals a LEFT JOIN approval_signatures s ON s.approval_id = a.id
        WHERE a.document_id = d.id AND a.user_id = ${userId}
      ) AS approvals,
      ARRAY(
        SELECT l.name FROM document_labels l WHERE l.document_id = d.id AND l.user_id = ${userId} ORDER BY l.name
      ) AS labels,
      (
        SELECT coalesce(json_agg(json_build_object('name', n.name, 'since', n.at) ORDER BY n.at), '[]')
        FROM party_names n WHERE n.document_id = d.id AND n.user_id = ${userId}
      ) AS names,
      (
        SELECT coalesce(json_agg(json_build_object('taken_at', c.created_at, 'reason', c.reason) ORDER BY c.created_at), '[]')
        FROM court_packs c WHERE c.document_id = d.id AND c.user_id = ${userId}
      ) AS court_packs,
      (
        SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'contact', i.contact, 'invited_at', i.created_at,
          'expires_at', i.expires_at, 'answer_by', i.answer_by) ORDER BY i.id), '[]')
        FROM open_invitations i WHERE i.document_id = d.id AND i.user_id = ${userId} AND i.state = 'open'
      ) AS open_invitations
    FROM (
      SELECT document_id FROM parties WHERE user_id = ${userId}
      UNION SELECT document_id FROM approvals WHERE user_id = ${userId}
    ) own
    JOIN documents d ON d.id = own.document_id
    LEFT JOIN parties p ON p.document_id = d.id AND p.user_id = ${userId}
    LEFT JOIN my_documents m ON m.document_id = d.id AND m.user_id = ${userId}
    LEFT JOIN verifications v ON v.document_id = d.id AND v.user_id = ${userId}
    WHERE ${after}::uuid IS NULL OR d.id > ${after}::uuid
    ORDER BY d.id LIMIT ${EXPORT_PAGE}`.execute(db);
  return rows;
}

/** Returns the user's passkeys for signing; their signatures are in the exported agreements. */
export async function exportedKeys(db: Db, userId: string) {
  const { rows } = await sql<{
    passkey_name: string;
    public_key: string;
    synced: boolean;
    photo_sha256: string;
    created_at: Date;
    last_used_at: Date | null;
  }>`
    SELECT name AS passkey_name, encode(public_key, 'base64') AS public_key, synced, photo_sha256, created_at,
      last_used_at
    FROM signing_keys WHERE user_id = ${userId} ORDER BY created_at`.execute(db);
  return rows;
}

/** Returns the names of unfinished agreements of this user: as creator, invited, admitted or approved party. */
export async function unfinishedNames(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT d.name FROM parties p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND p.state IN ('primary', 'invited', 'admitted', 'approved')
      AND d.status IN ('pending', 'pending_approval', 'approved')
    ORDER BY d.id DESC LIMIT 100`.execute(db);
  return rows.map((row) => row.name);
}

/** Returns true if an agreement, other than a private draft, contains the user's name. */
export async function isNamedInAgreements(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ named: boolean }>`
    SELECT EXISTS (
      SELECT FROM parties p JOIN documents d ON d.id = p.document_id
      WHERE p.user_id = ${userId} AND p.state <> 'requested' AND d.status <> 'draft'
    ) AS named`.execute(db);
  return rows[0]?.named === true;
}

/**
 * Erases the user's images (a sealed agreement contains its own copies), unanswered requests to join, own
 * texts (reasons), withdrawn approvals, rows for the user's lists and text messages, the text of private
 * drafts, and the author's name of price changes.
 *
 * @returns ids of drafts and early uploads, whose blobs must be erased too
 */
export async function eraseRows(tx: Tx<Database>, userId: string): Promise<string[]> {
  await sql`DELETE FROM verifications WHERE user_id = ${userId}`.execute(tx);
  await sql`DELETE FROM parties WHERE user_id = ${userId} AND state = 'requested'`.execute(tx);
  await sql`UPDATE parties SET reject_reason = NULL, answer_by = NULL WHERE user_id = ${userId}`.execute(tx);
  await sql`
    UPDATE document_events SET reason = NULL WHERE actor_id = ${userId} AND reason IS NOT NULL`.execute(tx);
  await sql`UPDATE open_invitations SET contact = NULL, handed_on = NULL, answer_by = NULL WHERE user_id = ${userId}`.execute(
    tx,
  );
  await sql`UPDATE court_packs SET reason = '' WHERE user_id = ${userId}`.execute(tx);
  await sql`DELETE FROM approvals WHERE user_id = ${userId} AND withdrawn_at IS NOT NULL`.execute(tx);
  await sql`
    DELETE FROM party_names n WHERE n.user_id = ${userId} AND NOT EXISTS (
      SELECT FROM parties p WHERE p.document_id = n.document_id AND p.user_id = n.user_id
    )`.execute(tx);
  for (const table of [
    'live_captures',
    'document_labels',
    'my_documents',
    'idempotency_keys',
    'join_misses',
    'invitations',
    'invitation_floods',
    'contact_stops',
    'text_messages',
    'text_message_settings',
    'signing_statements',
    'step_up_statements',
    'signing_ceremonies',
    'signing_keys',
  ])
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId}`.execute(tx);
  await sql`UPDATE pricing SET author_name = '' WHERE author_id = ${userId}`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    UPDATE documents SET name = '—', location = NULL, description = NULL, page_details = '[]'
    WHERE primary_user = ${userId} AND status = 'draft' RETURNING id`.execute(tx);
  const ids = rows.map((row) => row.id);
  await sql`DELETE FROM raw_files WHERE document_id = ANY(${ids}::uuid[])`.execute(tx);
  const uploads = await sql<{
    id: string;
  }>`DELETE FROM uploads WHERE user_id = ${userId} RETURNING id`.execute(tx);
  return [...ids, ...uploads.rows.map((row) => row.id)];
}

export type PeopleRow = { document_id: string; people: string[]; version: number };

/** Returns one page, by document id, of the users who share each document (`acquaintedUsers`). */
export async function peopleRows(db: Db, after: string | null, limit: number): Promise<PeopleRow[]> {
  const { rows } = await sql<PeopleRow>`
    SELECT d.id AS document_id, d.version,
      array_agg(p.user_id) FILTER (WHERE p.state IN ('primary', 'admitted', 'approved')) AS people
    FROM documents d JOIN parties p ON p.document_id = d.id
    WHERE (${after}::uuid IS NULL OR d.id > ${after}::uuid)
    GROUP BY d.id ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}
