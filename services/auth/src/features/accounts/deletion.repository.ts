import type { Tx } from '@karaar/db';
import type { Database, Db } from '../../db/schema.ts';

/** Deletes the user and inserts a tombstone, so that the character ID is never given to another user. */
export async function buryUser(tx: Tx<Database>, user: { id: string; charId: string }): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
  await tx.insertInto('deleted_users').values({ id: user.id, char_id: user.charId }).execute();
}

export async function listUnerasedBlobs(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('deleted_users')
    .select('id')
    .where('blobs_erased_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

export async function markBlobsErased(db: Db, id: string): Promise<void> {
  await db.updateTable('deleted_users').set({ blobs_erased_at: new Date() }).where('id', '=', id).execute();
}
