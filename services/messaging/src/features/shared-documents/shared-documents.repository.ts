/** Who shares how many documents with whom: counted when a document's parties change, read by key. */
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** The parties of a document as known here, locked; version -1 for one that was not known. */
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

/** Adds to the counts of pairs, each named in both directions. In one order everywhere, so that none wait in a ring. */
export async function addToCounts(
  tx: Tx<Database>,
  pairs: { userId: string; otherId: string; by: 1 | -1 }[],
  at: Date,
): Promise<void> {
  if (pairs.length === 0) return;
  await sql`
    INSERT INTO threads AS t (user_id, other_id, shared_documents, active_at)
    SELECT pair.user_id, pair.other_id, pair.by, date_trunc('milliseconds', ${at}::timestamptz)
    FROM unnest(${pairs.map((pair) => pair.userId)}::uuid[], ${pairs.map((pair) => pair.otherId)}::uuid[],
      ${pairs.map((pair) => pair.by)}::int[]) AS pair (user_id, other_id, by)
    ORDER BY LEAST(pair.user_id, pair.other_id), GREATEST(pair.user_id, pair.other_id), pair.user_id
    ON CONFLICT (user_id, other_id) DO UPDATE SET
      shared_documents = t.shared_documents + excluded.shared_documents,
      -- A conversation stands where its last message puts it.
      active_at = CASE WHEN t.last_seq > 0 THEN t.active_at ELSE GREATEST(t.active_at, excluded.active_at) END`.execute(
    tx,
  );
}
