/** What the transparency log is told of keys: whose by a hash, which one, and when it was added or removed. */
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import { keyHash, taggedKeyEntry, userTag } from '@karaar/proof/approval/key-entry';
import type { Selectable } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type KeyEntryRow = Selectable<Database['signing_key_entries']>;

type LoggedKey = { id: string; user_id: string; public_key: Uint8Array };

/** Lets the log have an entry of it, in the transaction of what happened. */
export async function queueKeyEntry(
  tx: Tx<Database>,
  action: 'added' | 'removed',
  key: LoggedKey,
  at = new Date(),
): Promise<void> {
  await tx
    .insertInto('signing_key_entries')
    .values({
      id: uuidv7(),
      key_id: key.id,
      action,
      user_tag: userTag(key.user_id),
      key_sha256: keyHash(new Uint8Array(key.public_key)),
      at: at.toISOString(),
    })
    .execute();
}

/** The bytes that are in the log. */
export const keyEntryOf = ({ action, user_tag, key_sha256, at }: KeyEntryRow): Uint8Array =>
  taggedKeyEntry({ action, tag: user_tag, keySha256: key_sha256, at });

/** The oldest that have no place yet. */
export const keyEntriesWithoutPlace = (db: Db, limit: number): Promise<KeyEntryRow[]> =>
  db
    .selectFrom('signing_key_entries')
    .selectAll()
    .where('entry_index', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();

export async function placeKeyEntry(tx: Tx<Database>, id: string, index: number): Promise<void> {
  await tx
    .updateTable('signing_key_entries')
    .set({ entry_index: index })
    .where('id', '=', id)
    .where('entry_index', 'is', null)
    .execute();
}

/** By key: when it was enrolled as the log says it, and where; the index is null until it has a place. */
export async function enrolments(
  db: Db,
  keyIds: readonly string[],
): Promise<Map<string, { at: string; index: number | null }>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('signing_key_entries')
    .select(['key_id', 'at', 'entry_index'])
    .where('key_id', 'in', keyIds)
    .where('action', '=', 'added')
    .execute();
  return new Map(rows.map(({ key_id, at, entry_index }) => [key_id, { at, index: entry_index }]));
}
