/** What the socket asks the database: who writes with whom, and what has reached whom. */
import type { Db } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Of these people those with whom a user has a conversation. */
export async function partnersAmong(db: Db<Database>, userId: string, others: string[]): Promise<string[]> {
  if (others.length === 0) return [];
  const rows = await db
    .selectFrom('conversations')
    .select(sql<string>`CASE WHEN user_a = ${userId} THEN user_b ELSE user_a END`.as('other'))
    .where((eb) =>
      eb.or([
        eb.and([eb('user_a', '=', userId), eb('user_b', 'in', others)]),
        eb.and([eb('user_b', '=', userId), eb('user_a', 'in', others)]),
      ]),
    )
    .execute();
  return rows.map(({ other }) => other);
}

/**
 * Notes that a device has got what somebody wrote. Only forwards, and never beyond what there is.
 * @returns the place that counts now, or null when nothing has changed
 */
export async function advanceDelivered(
  db: Db<Database>,
  { receiverId, senderId, upToSeq }: { receiverId: string; senderId: string; upToSeq: number },
): Promise<number | null> {
  const { rows } = await sql<{ seq: number }>`
    UPDATE conversations SET
      delivered_to_a = CASE WHEN user_a = ${receiverId} THEN LEAST(${upToSeq}, last_seq) ELSE delivered_to_a END,
      delivered_to_b = CASE WHEN user_b = ${receiverId} THEN LEAST(${upToSeq}, last_seq) ELSE delivered_to_b END
    WHERE user_a = LEAST(${receiverId}::uuid, ${senderId}::uuid)
      AND user_b = GREATEST(${receiverId}::uuid, ${senderId}::uuid)
      AND LEAST(${upToSeq}, last_seq) > CASE WHEN user_a = ${receiverId} THEN delivered_to_a ELSE delivered_to_b END
    RETURNING CASE WHEN user_a = ${receiverId} THEN delivered_to_a ELSE delivered_to_b END AS seq`.execute(
    db,
  );
  return rows[0]?.seq ?? null;
}
