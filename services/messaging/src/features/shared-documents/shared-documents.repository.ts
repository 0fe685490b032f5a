/**
 * Counts the documents that two users share whenever a document's parties change, so that a read needs one
 * row.
 */
import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

type Pair = { userId: string; otherId: string };

/** Locks a document and returns its parties; version -1 if it was unknown. */
export async function lockDocument(
  tx: Tx<Database>,
  documentId: string,
): Promise<{ people: string[]; version: number }> {
  await sql`INSERT INTO shared_documents VALUES (${documentId}, '{}', -1) ON CONFLICT DO NOTHING`.execute(tx);
  return tx
    .selectFrom('shared_documents')
    .select(['people', 'version'])
    .where('document_id', '=', documentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function putDocument(
  tx: Tx<Database>,
  document: { id: string; people: string[]; version: number },
): Promise<void> {
  await tx
    .updateTable('shared_documents')
    .set({ people: document.people, version: document.version })
    .where('document_id', '=', document.id)
    .execute();
}

const unnested = (pairs: readonly Pair[]) => sql`
  unnest(${pairs.map((pair) => pair.userId)}::uuid[], ${pairs.map((pair) => pair.otherId)}::uuid[]) AS pair (user_id, other_id)
  ORDER BY LEAST(pair.user_id, pair.other_id), GREATEST(pair.user_id, pair.other_id), pair.user_id`;

/**
 * Adds one shared document for pairs, each given in both directions. All transactions lock in the same order,
 * which prevents deadlocks.
 */
export async function addToCounts(tx: Tx<Database>, pairs: readonly Pair[], at: Date): Promise<void> {
  if (pairs.length === 0) return;
  await sql`
    INSERT INTO threads AS t (user_id, other_id, shared_documents, active_at)
    SELECT pair.user_id, pair.other_id, 1, date_trunc('milliseconds', ${at}::timestamptz) FROM ${unnested(pairs)}
    ON CONFLICT (user_id, other_id) DO UPDATE SET
      shared_documents = t.shared_documents + 1,
      -- A conversation is sorted by its last message.
      active_at = CASE WHEN t.last_seq > 0 THEN t.active_at ELSE GREATEST(t.active_at, excluded.active_at) END`.execute(
    tx,
  );
}

/** Subtracts one shared document for pairs, locking in the same order. */
export async function takeFromCounts(tx: Tx<Database>, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await sql`
    WITH gone AS (SELECT pair.user_id, pair.other_id FROM ${unnested(pairs)}), locked AS MATERIALIZED (
      SELECT t.user_id, t.other_id FROM threads t JOIN gone USING (user_id, other_id)
      ORDER BY LEAST(t.user_id, t.other_id), GREATEST(t.user_id, t.other_id), t.user_id FOR UPDATE OF t
    )
    UPDATE threads t SET shared_documents = t.shared_documents - 1
    FROM locked WHERE t.user_id = locked.user_id AND t.other_id = locked.other_id`.execute(tx);
}
