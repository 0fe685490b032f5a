import type { Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, SigningKeysTable } from '../../db/schema.ts';

export type SigningKeyRow = Selectable<SigningKeysTable>;

/** Returns the keys that sign or were replaced less than `graceMs` ago, current keys first. */
export async function listLiveKeys(db: Db, graceMs: number): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .selectAll()
    .where((where) =>
      where.or([
        where('retired_at', 'is', null),
        where('retired_at', '>', sql<Date>`now() - ${`${graceMs} milliseconds`}::interval`),
      ]),
    )
    .orderBy(sql`retired_at IS NULL`, 'desc')
    .orderBy('created_at', 'desc')
    .execute();
}

export async function insertKey(
  tx: Tx<Database>,
  key: { kid: string; private_key: Buffer; retired: boolean },
): Promise<void> {
  await tx
    .insertInto('signing_keys')
    .values({ kid: key.kid, private_key: key.private_key, retired_at: key.retired ? new Date() : null })
    .execute();
}

export async function retireKeys(tx: Tx<Database>): Promise<void> {
  await tx
    .updateTable('signing_keys')
    .set({ retired_at: new Date() })
    .where('retired_at', 'is', null)
    .execute();
}

export async function deleteKey(tx: Tx<Database>, kid: string): Promise<void> {
  await tx.deleteFrom('signing_keys').where('kid', '=', kid).execute();
}
