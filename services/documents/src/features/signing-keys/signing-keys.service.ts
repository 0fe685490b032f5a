/** A person's passkeys for signing. Each addition or removal is an entry of the log. */
import type { PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { documentsEvents } from '@karaar/contracts/documents/events';
import type { SigningKey } from '@karaar/contracts/documents/signing-keys';
import { inTransaction, type Tx } from '@karaar/db';
import type { SpooledFile } from '@karaar/http';
import { readLine } from '@karaar/base/schema';
import { keyHash } from '@karaar/proof/approval/key-entry';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { requireCaller } from '../directory/directory.service.ts';
import { captureSubject } from '../identity-verification/live-captures.service.ts';
import { sourceOf } from '../identity-verification/live-captures.repository.ts';
import { optionsToAdd, readAdded } from './ceremonies.ts';
import { enrolments, queueKeyEntry } from './key-entries.repository.ts';
import { keyKnown, keyNotFound, notMade, tooManyKeys } from './signing-keys.errors.ts';
import {
  deleteKey,
  insertKey,
  keepCeremony,
  keysOf,
  lockUserKeys,
  takeCeremony,
  type SigningKeyRow,
} from './signing-keys.repository.ts';
import { fieldFault } from '../../errors.ts';

const MOST_KEYS = 10;

const presentKey = (row: SigningKeyRow, index: number | null | undefined): SigningKey => ({
  _id: row.id,
  name: row.name,
  sha256: keyHash(new Uint8Array(row.public_key)),
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  synced: row.synced,
  logged: typeof index === 'number',
});

export async function listKeys(ctx: Context, userId: string): Promise<SigningKey[]> {
  const keys = await keysOf(ctx.db, userId);
  const places = await enrolments(
    ctx.db,
    keys.map(({ id }) => id),
  );
  return keys.map((key) => presentKey(key, places.get(key.id)?.index));
}

/**
 * Returns the options for creating a passkey. The photo must show a face and be bound to this act when it was
 * taken; only its SHA-256 is stored.
 *
 * @throws 409 for too many keys, 422 for a photo without a face or not bound to this act, 503 if vision is
 * down
 */
export async function beginKey(ctx: Context, userId: string, photo: SpooledFile) {
  const { name, char_id: charId } = await requireCaller(ctx, userId);
  const known = await keysOf(ctx.db, userId);
  if (known.length >= MOST_KEYS) throw tooManyKeys();
  const face = await ctx.photoCheck(photo, 'faces');
  if (!face.ok) throw fieldFault('profile_pic', 'No face detected. Please retake.');
  const capture = { userId, subject: captureSubject.signingKey, step: 'profile_pic' as const };
  const source = await inTransaction(ctx.db, (tx) =>
    sourceOf(tx, { ...capture, sha256: photo.sha256, stated: undefined }),
  );
  if (source !== 'live') throw fieldFault('profile_pic', 'Please take this photo with the camera now.');
  const add = await optionsToAdd(ctx.config, { userId, name, charId }, known);
  const ceremonyId = await keepCeremony(ctx.db, {
    userId,
    challenge: add.challenge,
    photoSha256: photo.sha256,
  });
  return { ceremony_id: ceremonyId, add };
}

/**
 * Adds the passkey.
 *
 * @throws 409 for a known passkey or too many keys, 422 for an invalid or late answer
 */
export async function addKey(
  ctx: Context,
  userId: string,
  { ceremony_id, added, name: nameText }: { ceremony_id: string; added: PasskeyRegistration; name: string },
): Promise<SigningKey> {
  const name = readLine('name', nameText);
  if (!name) throw fieldFault('name', 'Please give the passkey a name.');
  const ceremony = await takeCeremony(ctx.db, userId, ceremony_id);
  const made = ceremony && (await readAdded(ctx.config, ceremony.challenge, added));
  if (!made) throw notMade();
  const key = await inTransaction(ctx.db, async (tx) => {
    await lockUserKeys(tx, userId);
    if ((await keysOf(tx, userId)).length >= MOST_KEYS) throw tooManyKeys();
    const row = await insertKey(tx, userId, { ...made, name, photo_sha256: ceremony.photo_sha256 });
    if (!row) throw keyKnown();
    await recordChange(ctx, tx, 'added', row);
    return row;
  });
  ctx.log.wake();
  return presentKey(key, null);
}

/** Queues the log entry, and publishes an event for the notification to the person. */
async function recordChange(
  ctx: Context,
  tx: Tx<Database>,
  action: 'added' | 'removed',
  key: SigningKeyRow,
): Promise<void> {
  await queueKeyEntry(tx, action, key);
  await ctx.outbox.add(tx, documentsEvents.passkeyChanged, {
    aggregateId: key.id,
    aggregateVersion: action === 'added' ? 1 : 2,
    data: { user_id: key.user_id, action },
  });
}

/** Removes the key; its earlier signatures stay valid. @throws 404 for a key that is not the caller's */
export async function removeKey(ctx: Context, userId: string, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const key = await deleteKey(tx, userId, id);
    if (!key) throw keyNotFound();
    await recordChange(ctx, tx, 'removed', key);
  });
  ctx.log.wake();
}
