/** What the socket asks the database: who writes with whom, and what has reached whom. */
import type { Db } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

/** Neither of the two of a thread `t` has blocked the other. */
const unblocked = sql`NOT EXISTS (SELECT FROM blocks b WHERE
  (b.user_id = t.user_id AND b.blocked_id = t.other_id) OR (b.user_id = t.other_id AND b.blocked_id = t.user_id))`;

/** Of these people those with whom a user has a conversation, and no block. */
export async function partnersAmong(db: Db<Database>, userId: string, others: string[]): Promise<string[]> {
  if (others.length === 0) return [];
  const { rows } = await sql<{ other_id: string }>`
    SELECT t.other_id FROM threads t
    WHERE t.user_id = ${userId} AND t.other_id = ANY(${others}::uuid[]) AND t.last_seq > 0 AND ${unblocked}`.execute(
    db,
  );
  return rows.map(({ other_id }) => other_id);
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
    UPDATE threads t SET delivered_seq = LEAST(${upToSeq}, last_seq)
    WHERE t.user_id = ${receiverId} AND t.other_id = ${senderId}
      AND LEAST(${upToSeq}, last_seq) > delivered_seq AND ${unblocked}
    RETURNING delivered_seq AS seq`.execute(db);
  return rows[0]?.seq ?? null;
}

/** Notes that a device of a user is here, which now gets everything. @returns who is to be told of it */
export async function deliverAll(
  db: Db<Database>,
  receiverId: string,
): Promise<{ other_id: string; seq: number }[]> {
  const { rows } = await sql<{ other_id: string; seq: number }>`
    UPDATE threads t SET delivered_seq = last_seq
    WHERE t.user_id = ${receiverId} AND delivered_seq < last_seq AND ${unblocked}
    RETURNING other_id, delivered_seq AS seq`.execute(db);
  return rows;
}
