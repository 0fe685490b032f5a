/** Limits a user's invitations per day, because each can make another user's phone ring. */
import { uuidv7, type Tx, lockName } from '@karaar/db';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

/**
 * Counts an invitation if the sender has sent fewer than `limit` within a day. A lock per sender serializes
 * concurrent requests.
 * @returns the seconds until the sender can invite again; 0 if the invitation was counted
 */
export async function noteInvitation(tx: Tx<Database>, userId: string, limit: number): Promise<number> {
  await lockName(tx, `invitations ${userId}`);
  await sql`DELETE FROM invitations WHERE user_id = ${userId} AND at < now() - interval '1 day'`.execute(tx);
  const { rows } = await sql<{ wait: number }>`
    WITH counted AS (
      -- The invitation whose day must have ended before there is room for another.
      SELECT at FROM invitations WHERE user_id = ${userId} ORDER BY at DESC OFFSET ${limit - 1}::int LIMIT 1
    ), noted AS (
      INSERT INTO invitations (user_id) SELECT ${userId}::uuid WHERE NOT EXISTS (SELECT FROM counted)
    )
    SELECT coalesce((SELECT greatest(1, ceil(extract(epoch FROM at + interval '1 day' - now())))::int FROM counted), 0)
      AS wait`.execute(tx);
  return rows[0]?.wait ?? 0;
}

/** Returns the id of the flood to report, or undefined if one was reported within a day. */
export async function noteFlood(tx: Tx<Database>, userId: string): Promise<string | undefined> {
  const { rows } = await sql`
    INSERT INTO invitation_floods AS f (user_id) VALUES (${userId})
    ON CONFLICT (user_id) DO UPDATE SET told_at = now() WHERE f.told_at < now() - interval '1 day'
    RETURNING 1`.execute(tx);
  return rows.length > 0 ? uuidv7() : undefined;
}
