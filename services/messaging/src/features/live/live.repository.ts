import { prepared } from '@karaar/db';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

const unblocked = sql`NOT EXISTS (SELECT FROM blocks b WHERE
  (b.user_id = t.user_id AND b.blocked_id = t.other_id) OR (b.user_id = t.other_id AND b.blocked_id = t.user_id))`;

/** Returns those of the users with whom a user has a conversation and no block. */
export async function partnersAmong(db: Db, userId: string, others: string[]): Promise<string[]> {
  if (others.length === 0) return [];
  const { rows } = await sql<{ other_id: string }>`
    SELECT t.other_id FROM threads t
    WHERE t.user_id = ${userId} AND t.other_id = ANY(${others}::uuid[]) AND t.last_seq > 0 AND ${unblocked}`.execute(
    db,
  );
  return rows.map(({ other_id }) => other_id);
}

/** A device of the receiver has received the sender's messages up to and including a position. */
export type Receipt = { receiverId: string; senderId: string; upToSeq: number };

export const threadOf = ({ receiverId, senderId }: Receipt): string => `${receiverId} ${senderId}`;

/**
 * Stores receipts of different threads. A receipt moves the position forwards only, and never beyond the last
 * message.
 * @returns for each the new position, or null if nothing has changed
 */
export async function advanceDelivered(db: Db, receipts: readonly Receipt[]): Promise<(number | null)[]> {
  const { rows } = await prepared(
    'chat_delivered',
    sql<{ nth: number; seq: number }>`
    WITH got AS (
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
    RETURNING got.nth, got.seq`,
  ).execute(db);
  const advanced = new Map(rows.map(({ nth, seq }) => [nth, seq]));
  return receipts.map((_, at) => advanced.get(at + 1) ?? null);
}

/** Marks all messages to a user as delivered when a device connects, and returns the senders to inform. */
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
