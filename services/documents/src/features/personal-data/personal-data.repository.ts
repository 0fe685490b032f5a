/** What this service keeps about a person, what is unfinished, and what an erasure takes. */
import { EXPORT_PAGE } from '@karaar/contracts/personal-data';
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';

type Db = Kysely<Database> | Tx<Database>;

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
  created_at: Date;
};

/** Agreements of a user with the own part and approval, a page by document id. */
export async function exportRows(db: Db, userId: string, after: string | null): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`
    SELECT p.document_id, d.name, d.document_code, d.status, d.location, d.start_date, d.end_date, d.description,
      p.state AS part, p.approved, p.approved_at, d.created_at
    FROM parties p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND (${after}::uuid IS NULL OR p.document_id > ${after}::uuid)
    ORDER BY p.document_id LIMIT ${EXPORT_PAGE}`.execute(db);
  return rows;
}

/** Names of agreements under way that need this user: as the creator, invited or approved. */
export async function unfinishedNames(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT d.name FROM parties p JOIN documents d ON d.id = p.document_id
    WHERE p.user_id = ${userId} AND p.state IN ('primary', 'invited', 'approved')
      AND d.status IN ('pending', 'pending_approval', 'approved')
    ORDER BY d.id DESC LIMIT 100`.execute(db);
  return rows.map((row) => row.name);
}

/** Whether an agreement that is more than a private draft carries the user's name. */
export async function isNamedInAgreements(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ named: boolean }>`
    SELECT EXISTS (
      SELECT FROM parties p JOIN documents d ON d.id = p.document_id
      WHERE p.user_id = ${userId} AND p.state <> 'requested' AND d.status <> 'draft'
    ) AS named`.execute(db);
  return rows[0]?.named === true;
}

/**
 * Takes photos, eyes, signatures and fingerprints (a sealed agreement has its own), requests to join that nobody
 * answered, what only serves the person's own lists and notices, the text of private drafts, and the name beside price changes. Answers the drafts, whose files go too.
 */
export async function eraseRows(tx: Tx<Database>, userId: string): Promise<string[]> {
  await sql`DELETE FROM verifications WHERE user_id = ${userId}`.execute(tx);
  await sql`DELETE FROM parties WHERE user_id = ${userId} AND state = 'requested'`.execute(tx);
  for (const table of [
    'live_captures',
    'my_documents',
    'idempotency_keys',
    'join_misses',
    'notices',
    'notice_settings',
  ])
    await sql`DELETE FROM ${sql.table(table)} WHERE user_id = ${userId}`.execute(tx);
  await sql`UPDATE pricing SET author_name = '' WHERE author_id = ${userId}`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    UPDATE documents SET name = '—', location = NULL, description = NULL, page_details = '[]'
    WHERE primary_user = ${userId} AND status = 'draft' RETURNING id`.execute(tx);
  const ids = rows.map((row) => row.id);
  await sql`DELETE FROM raw_files WHERE document_id = ANY(${ids}::uuid[])`.execute(tx);
  return ids;
}

export type PeopleRow = { document_id: string; people: string[]; version: number };

/** Who is part of which document, without those who only asked to join, a page by document id. */
export async function peopleRows(db: Db, after: string | null, limit: number): Promise<PeopleRow[]> {
  const { rows } = await sql<PeopleRow>`
    SELECT d.id AS document_id, d.version,
      array_agg(p.user_id) FILTER (WHERE p.state <> 'requested') AS people
    FROM documents d JOIN parties p ON p.document_id = d.id
    WHERE (${after}::uuid IS NULL OR d.id > ${after}::uuid)
    GROUP BY d.id ORDER BY d.id LIMIT ${limit}`.execute(db);
  return rows;
}
