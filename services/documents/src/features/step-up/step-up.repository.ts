/** Acts that wait for a passkey, each used once within five minutes, and the public keys of grants. */
import type { StepUpAct } from '@karaar/contracts/step-up';
import { uuidv7 } from '@karaar/db';
import { userTag } from '@karaar/proof/approval/key-entry';
import { CEREMONY_MS } from '@karaar/webauthn';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import type { KeyChange } from './standing.ts';
import type { GrantKey } from '../../context.ts';

export const keyChanges = (db: Db, userId: string): Promise<KeyChange[]> =>
  db
    .selectFrom('signing_key_entries')
    .select(['key_id', 'action', 'at'])
    .where('user_tag', '=', userTag(userId))
    .execute();

export async function keepAct(
  db: Db,
  { userId, act, statement }: { userId: string; act: StepUpAct; statement: string },
): Promise<string> {
  await sql`DELETE FROM step_up_statements WHERE user_id = ${userId} AND expires_at < now()`.execute(db);
  const id = uuidv7();
  await db
    .insertInto('step_up_statements')
    .values({
      id,
      user_id: userId,
      act: JSON.stringify(act),
      statement,
      expires_at: new Date(Date.now() + CEREMONY_MS),
    })
    .execute();
  return id;
}

/** Takes an act once; undefined if it is expired, taken or another user's. */
export const takeAct = (db: Db, userId: string, id: string) =>
  db
    .deleteFrom('step_up_statements')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();

/** Publishes the key of this process's grants to other processes and services. */
export async function publishGrantKey(db: Db, { kid, x }: GrantKey): Promise<void> {
  await sql`DELETE FROM step_up_grant_keys WHERE used_at < now() - interval '1 day'`.execute(db);
  await sql`
    INSERT INTO step_up_grant_keys (kid, x, used_at) VALUES (${kid}, ${x}, now())
    ON CONFLICT (kid) DO UPDATE SET used_at = now()`.execute(db);
}

/** Returns the keys of grants that may still be valid: a grant is valid for two minutes. */
export const grantKeys = (db: Db): Promise<{ kid: string; x: string }[]> =>
  db
    .selectFrom('step_up_grant_keys')
    .select(['kid', 'x'])
    .where('used_at', '>', sql<Date>`now() - interval '10 minutes'`)
    .execute();
