/** Log entries about passkeys: hashes of the owner and the key, and when it was added or removed. */
import { uuidv7, type Tx } from '@karaar/db';
import { keyHash, taggedKeyEntry, userTag } from '@karaar/proof/approval/key-entry';
import type { Selectable } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type KeyEntryRow = Selectable<Database['signing_key_entries']>;

type LoggedKey = { id: string; user_id: string; public_key: Uint8Array };

/** Queues a log entry in the transaction of the change. */
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

export const keyEntryOf = ({ action, user_tag, key_sha256, at }: KeyEntryRow): Uint8Array =>
  taggedKeyEntry({ action, tag: user_tag, keySha256: key_sha256, at });

/** Returns the oldest entries that the log does not have yet. */
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

/** Returns by key the time and the log index of its enrolment; the index is null until the log has the entry. */
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
