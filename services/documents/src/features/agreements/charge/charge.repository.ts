/** Reads and writes charges in few round trips, because every payment waits for them. */
import type { DocumentStatus } from '@karaar/contracts/documents/http';
import type { Chargeable } from '@karaar/contracts/documents/inner';
import { prepared, type Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database, Db } from '../../../db/schema.ts';

type Charge = Static<typeof Chargeable>;

/** Returns the documents with their involved users in order, without people who only asked to join. */
export async function findChargeables(db: Db, ids: readonly string[]): Promise<(Charge | undefined)[]> {
  const { rows } = await prepared(
    'chargeable_of',
    sql<Charge>`
    SELECT d.id AS document_id, d.name, d.status, d.primary_user, d.daily_rate_paise, d.start_date, d.end_date,
      d.version, i.involved_users, i.all_approved
    FROM documents d, LATERAL (
      SELECT coalesce(array_agg(p.user_id::text ORDER BY p.position), '{}') AS involved_users,
        coalesce(bool_and(p.approved), true) AS all_approved
      FROM parties p WHERE p.document_id = d.id AND p.state <> 'requested'
    ) i
    WHERE d.id = ANY(${ids}::uuid[])`,
  ).execute(db);
  const found = new Map(rows.map((row) => [row.document_id, row]));
  return ids.map((id) => found.get(id.toLowerCase()));
}

/** Raises a document's version to at least `version`, so that a change to an older version fails. */
export async function reachVersion(db: Db, id: string, version: number): Promise<void> {
  await sql`UPDATE documents SET version = ${version} WHERE id = ${id} AND version < ${version}`.execute(db);
}

export type Charged = {
  id: string;
  status: DocumentStatus;
  primary_user: string;
  version: number;
  /** In order, without people who only asked to join. */
  involved: string[];
  everybody: string[];
  files: { ordinal: number; sha256: string }[];
};

/** Locks the known documents in the order of their ids, to avoid deadlocks, and reads them. */
export async function lockCharged(tx: Tx<Database>, ids: string[]): Promise<Map<string, Charged>> {
  await prepared(
    'lock_charged',
    sql`SELECT FROM documents WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`,
  ).execute(tx);
  // A separate statement: the locking statement would see parties and files from before it got the locks.
  const { rows } = await prepared(
    'charged',
    sql<Charged>`
    SELECT d.id, d.status, d.primary_user, d.version, p.involved, p.everybody, f.files
    FROM documents d, LATERAL (
      SELECT coalesce(array_agg(user_id::text ORDER BY position) FILTER (WHERE state <> 'requested'), '{}') AS involved,
        coalesce(array_agg(user_id::text ORDER BY position), '{}') AS everybody
      FROM parties WHERE document_id = d.id
    ) p, LATERAL (
      SELECT coalesce(json_agg(json_build_object('ordinal', ordinal, 'sha256', sha256)), '[]') AS files
      FROM raw_files WHERE document_id = d.id
    ) f
    WHERE d.id = ANY(${ids}::uuid[])`,
  ).execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A document's version with the event `number`, and its payment state as of that event. */
export type PaidWord = { documentId: string; version: number; number: number; paid: boolean };

/**
 * Writes the new versions of documents whose shares were paid or reversed, and moves them up in lists sorted
 * by change. Whether a document is paid follows from the event with the largest number so far.
 */
export async function countPayments(tx: Tx<Database>, words: readonly PaidWord[]): Promise<void> {
  await prepared(
    'count_payments',
    sql`
    WITH counted AS (
      UPDATE documents d SET version = w.version, changed_at = now(),
        paid = CASE WHEN w.number > d.charge_number THEN w.paid ELSE d.paid END,
        charge_number = greatest(w.number, d.charge_number)
      FROM (
        SELECT DISTINCT ON (id) id, number, paid, max(version) OVER (PARTITION BY id) AS version
        FROM unnest(${words.map(({ documentId }) => documentId)}::uuid[],
          ${words.map(({ version }) => version)}::int[], ${words.map(({ number }) => number)}::int[],
          ${words.map(({ paid }) => paid)}::boolean[])
          AS each (id, version, number, paid)
        ORDER BY id, number DESC, paid DESC
      ) w
      WHERE d.id = w.id RETURNING d.id
    )
    UPDATE my_documents m SET changed_at = now() FROM counted WHERE m.document_id = counted.id`,
  ).execute(tx);
}
