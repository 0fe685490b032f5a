/** Challenges that wait for a response. Each can be taken once, within five minutes. */
import { isUuid } from '@karaar/db';
import { randomUUID } from 'node:crypto';
import { CEREMONY_MS } from '@karaar/webauthn';
import { sql, type Selectable } from 'kysely';
import type { Db, PasskeyCeremoniesTable } from '../../../db/schema.ts';

export type Ceremony = Selectable<PasskeyCeremoniesTable>;
export type Purpose = Ceremony['purpose'];

/**
 * Stores the challenge.
 * @param challenge base64url
 * @returns the ceremony's random id, which replaces the password in the second step
 */
export async function keepCeremony(
  db: Db,
  ceremony: { adminId: string; purpose: Purpose; challenge: string },
): Promise<string> {
  const id = randomUUID();
  const { adminId: admin_id, purpose, challenge } = ceremony;
  const expires_at = new Date(Date.now() + CEREMONY_MS);
  await db
    .insertInto('passkey_ceremonies')
    .values({ id, admin_id, purpose, challenge, expires_at })
    .execute();
  return id;
}

/** Returns and deletes the ceremony; undefined if it has expired, was taken, or has another purpose. */
export async function takeCeremony(
  db: Db,
  id: string,
  purposes: readonly Purpose[],
): Promise<Ceremony | undefined> {
  if (!isUuid(id)) return undefined;
  return db
    .deleteFrom('passkey_ceremonies')
    .where('id', '=', id)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
}

export async function pruneCeremonies(db: Db): Promise<void> {
  await sql`DELETE FROM passkey_ceremonies WHERE expires_at < now()`.execute(db);
}
