/** What the socket asks the database: who writes with whom, and what has reached whom. */
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Neither of the two of a thread `t` has blocked the other. */
const unblocked = sql`NOT EXISTS (SELECT FROM blocks b WHERE
  (b.user_id = t.user_id AND b.blocked_id = t.other_id) OR (b.user_id = t.other_id AND b.blocked_id = t.user_id))`;

/** Of these people those with whom a user has a conversation, and no block. */
export async function partnersAmong(db: Db, userId: string, others: string[]): Promise<string[]> {
  if (others.length === 0) return [];
  const { rows } = await sql<{ other_id: string }>`
    SELECT t.other_id FROM threads t
    WHERE t.user_id = ${userId} AND t.other_id = ANY(${others}::uuid[]) AND t.last_seq > 0 AND ${unblocked}`.execute(
    db,
  );
  return rows.map(({ other_id }) => other_id);
}

/** A device of the receiver has got what the sender wrote, up to and with a place. */
export type Receipt = { receiverId: string; senderId: string; upToSeq: number };

/** The thread that a receipt is about. */
export const threadOf = ({ receiverId, senderId }: Receipt): string => `${receiverId} ${senderId}`;

/**
 * Notes receipts of different threads. Only forwards, and never beyond what there is.
 * @returns for each the place that counts now, or null when nothing has changed
 */
export async function advanceDelivered(db: Db, receipts: readonly Receipt[]): Promise<(number | null)[]> {
  const { rows } = await sql<{ nth: number; seq: number }>`
    /*keep chat_delivered*/ WITH got AS (
      SELECT t.user_id, t.other_id, nth, LEAST(up_to_seq, t.last_seq) AS seq
      FROM unnest(${receipts.map((each) => each.receiverId)}::uuid[], ${receipts.map((each) => each.senderId)}::uuid[],
        ${receipts.map((each) => each.upToSeq)}::int[]) WITH ORDINALITY AS given (receiver_id, sender_id, up_to_seq, nth)
      JOIN threads t ON t.user_id = receiver_id AND t.other_id = sender_id
      WHERE LEAST(up_to_seq, t.last_seq) > t.delivered_seq AND ${unblocked}
      ORDER BY LEAST(t.user_id, t.other_id), GREATEST(t.user_id, t.other_id), t.user_id
      FOR NO KEY UPDATE OF t
    )
    UPDATE threads t SET delivered_seq = got.seq FROM got
    WHERE t.user_id = got.user_id AND t.other_id = got.other_id AND t.delivered_seq < got.seq
    RETURNING got.nth, got.seq`.execute(db);
  const advanced = new Map(rows.map(({ nth, seq }) => [nth, seq]));
  return receipts.map((_, at) => advanced.get(at + 1) ?? null);
}

/** Notes that a device of a user is here, which now gets everything. @returns who is to be told of it */
export async function deliverAll(db: Db, receiverId: string): Promise<{ other_id: string; seq: number }[]> {
  const { rows } = await sql<{ other_id: string; seq: number }>`
    WITH got AS (
      SELECT t.user_id, t.other_id, t.last_seq AS seq FROM threads t
      WHERE t.user_id = ${receiverId} AND t.delivered_seq < t.last_seq AND ${unblocked}
      ORDER BY LEAST(t.user_id, t.other_id), GREATEST(t.user_id, t.other_id)
      FOR NO KEY UPDATE OF t
    )
    UPDATE threads t SET delivered_seq = got.seq FROM got
    WHERE t.user_id = got.user_id AND t.other_id = got.other_id AND t.delivered_seq < got.seq
    RETURNING t.other_id, got.seq`.execute(db);
  return rows;
}
