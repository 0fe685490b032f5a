/** The labels of users on documents in their own lists; a label exists while a document has it. */
import { sql } from 'kysely';
import type { Tx } from '@karaar/db';
import type { Database, Db } from '../../../db/schema.ts';

/** Returns the user's labels by name, with the number of documents. */
export async function labelsOfUser(db: Db, userId: string): Promise<{ name: string; documents: number }[]> {
  return db
    .selectFrom('document_labels')
    .select(['name', sql<number>`count(*)::int`.as('documents')])
    .where('user_id', '=', userId)
    .groupBy('name')
    .orderBy(sql`lower(name)`)
    .execute();
}

/** Returns the user's labels on these documents, by document id. */
export async function labelsOf(
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('document_labels')
    .select('document_id')
    .select(sql<string[]>`array_agg(name ORDER BY lower(name))`.as('names'))
    .where('user_id', '=', userId)
    .where('document_id', 'in', ids)
    .groupBy('document_id')
    .execute();
  return new Map(rows.map(({ document_id, names }) => [document_id, names]));
}

export async function replaceLabels(
  tx: Tx<Database>,
  userId: string,
  documentId: string,
  names: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('document_labels')
    .where('user_id', '=', userId)
    .where('document_id', '=', documentId)
    .execute();
  const rows = names.map((name) => ({ user_id: userId, document_id: documentId, name }));
  if (rows.length > 0) await tx.insertInto('document_labels').values(rows).execute();
}

/** Replaces a label on all documents, or takes it off for null. Returns false if the user does not have it. */
export async function moveLabel(
  tx: Tx<Database>,
  userId: string,
  name: string,
  newName: string | null,
): Promise<boolean> {
  const moved = await tx
    .deleteFrom('document_labels')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .returning('document_id')
    .execute();
  if (newName !== null && moved.length > 0)
    await tx
      .insertInto('document_labels')
      .values(moved.map(({ document_id }) => ({ user_id: userId, document_id, name: newName })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return moved.length > 0;
}
