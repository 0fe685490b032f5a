/** Passkeys, and the ceremonies in which they are added or sign; each ceremony is used once, within five minutes. */
import { isUuid, lockName, uuidv7, type Tx } from '@karaar/db';
import { CEREMONY_MS } from '@karaar/webauthn';
import { sql, type Selectable } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type SigningKeyRow = Selectable<Database['signing_keys']>;
export type NewKey = Pick<
  SigningKeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'synced' | 'photo_sha256' | 'name'
>;

const soon = (): Date => new Date(Date.now() + CEREMONY_MS);

/** Returns the user's keys, oldest first. */
export const keysOf = (db: Db, userId: string): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_keys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();

export async function findKey(db: Db, userId: string, id: string): Promise<SigningKeyRow | undefined> {
  if (!isUuid(id)) return undefined;
  const keys = db.selectFrom('signing_keys').selectAll();
  return keys.where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
}

/** Adds and returns the key; undefined if the credential is already stored. */
export async function insertKey(
  tx: Tx<Database>,
  userId: string,
  key: NewKey,
): Promise<SigningKeyRow | undefined> {
  return tx
    .insertInto('signing_keys')
    .values({ id: uuidv7(), user_id: userId, ...key })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Deletes the key and returns it; undefined if the user has no such key. */
export async function deleteKey(
  tx: Tx<Database>,
  userId: string,
  id: string,
): Promise<SigningKeyRow | undefined> {
  if (!isUuid(id)) return undefined;
  return tx
    .deleteFrom('signing_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Updates the counter; false if another signature has changed it, or the key was removed. */
export async function moveCounter(
  tx: Tx<Database>,
  key: SigningKeyRow,
  counter: number,
  synced: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('signing_keys')
    .set({ counter, synced, last_used_at: sql<Date>`now()` })
    .where('id', '=', key.id)
    .where('counter', '=', key.counter)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Serializes concurrent additions of one user. */
export async function lockUserKeys(tx: Tx<Database>, userId: string): Promise<void> {
  await lockName(tx, `signing-keys ${userId}`);
}

/** @param challenge base64url */
export async function keepCeremony(
  db: Db,
  ceremony: { userId: string; challenge: string; photoSha256: string },
): Promise<string> {
  await sql`
    DELETE FROM signing_ceremonies WHERE user_id = ${ceremony.userId} AND expires_at < now()`.execute(db);
  const id = uuidv7();
  await db
    .insertInto('signing_ceremonies')
    .values({
      id,
      user_id: ceremony.userId,
      challenge: ceremony.challenge,
      photo_sha256: ceremony.photoSha256,
      expires_at: soon(),
    })
    .execute();
  return id;
}

/** Takes a ceremony once; undefined if it is expired, taken or another user's. */
export const takeCeremony = (db: Db, userId: string, id: string) =>
  db
    .deleteFrom('signing_ceremonies')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();

export async function keepStatement(
  db: Db,
  kept: { userId: string; documentId: string; keyId: string; statement: string },
): Promise<string> {
  await sql`
    DELETE FROM signing_statements WHERE user_id = ${kept.userId} AND expires_at < now()`.execute(db);
  const id = uuidv7();
  await db
    .insertInto('signing_statements')
    .values({
      id,
      user_id: kept.userId,
      document_id: kept.documentId,
      key_id: kept.keyId,
      statement: kept.statement,
      expires_at: soon(),
    })
    .execute();
  return id;
}

/** Takes a statement once; undefined if it is expired, taken, or for another user or document. */
export const takeStatement = (
  db: Db,
  { userId, documentId, id }: { userId: string; documentId: string; id: string },
): Promise<Selectable<Database['signing_statements']> | undefined> =>
  db
    .deleteFrom('signing_statements')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('document_id', '=', documentId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
