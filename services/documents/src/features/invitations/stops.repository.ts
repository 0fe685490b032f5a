/** Contacts that stopped the invitations of one sender or of all senders, by their keyed hash. */
import type { InvitationStop } from '@karaar/contracts/documents/invitations';
import type { Tx } from '@karaar/db';
import type { Database, Db } from '../../db/schema.ts';

/** Returns whose invitations the contact stopped, with regard to this sender. */
export async function readStop(db: Db, hash: string, senderId: string): Promise<InvitationStop> {
  const rows = await db
    .selectFrom('contact_stops')
    .select('user_id')
    .where('contact_hash', '=', hash)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', senderId)]))
    .execute();
  if (rows.some(({ user_id }) => user_id === null)) return 'everyone';
  return rows.length > 0 ? 'sender' : 'nobody';
}

export const isStopped = async (db: Db, hash: string, senderId: string): Promise<boolean> =>
  (await readStop(db, hash, senderId)) !== 'nobody';

/** Replaces the stop for everyone and for this sender. Stops for other senders stay. */
export async function writeStop(
  tx: Tx<Database>,
  hash: string,
  senderId: string,
  stop: InvitationStop,
): Promise<void> {
  await tx
    .deleteFrom('contact_stops')
    .where('contact_hash', '=', hash)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', senderId)]))
    .execute();
  if (stop === 'nobody') return;
  await tx
    .insertInto('contact_stops')
    .values({ contact_hash: hash, user_id: stop === 'sender' ? senderId : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
