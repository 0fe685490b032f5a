import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database } from '../../db/schema.ts';

export type LeftUnread = {
  user_id: string;
  other_id: string;
  conversation_id: string;
  last_seq: number;
  /**
   * False for messages that are too old, from a blocked user, or from a stranger. A stranger could otherwise
   * cause e-mails under any name.
   */
  worth_telling: boolean;
};

/**
 * Takes conversations whose oldest unread message is older than `afterS`, and marks the user as notified. A
 * conversation is taken again only after the user has read it.
 * @param oldestS messages that have waited longer, in seconds, are not worth a notification
 */
export async function takeLeftUnread(
  tx: Tx<Database>,
  { afterS, oldestS, limit }: { afterS: number; oldestS: number; limit: number },
): Promise<LeftUnread[]> {
  const { rows } = await sql<LeftUnread>`
    WITH due AS (
      SELECT t.user_id, t.other_id, oldest.created_at FROM threads t
      CROSS JOIN LATERAL (
        SELECT m.created_at FROM messages m
        WHERE m.conversation_id = t.conversation_id AND m.seq > t.read_seq AND m.receiver_id = t.user_id
        ORDER BY m.seq LIMIT 1
      ) oldest
      WHERE t.unread > 0 AND t.told_seq <= t.read_seq AND oldest.created_at < now() - ${afterS} * interval '1 second'
      LIMIT ${limit} FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE threads t SET told_seq = t.last_seq FROM due WHERE t.user_id = due.user_id AND t.other_id = due.other_id
    RETURNING t.user_id, t.other_id, t.conversation_id, t.last_seq,
      due.created_at > now() - ${oldestS} * interval '1 second'
        AND (t.written OR t.shared_documents > 0)
        AND NOT EXISTS (SELECT FROM blocks b WHERE b.user_id = t.user_id AND b.blocked_id = t.other_id)
        AS worth_telling`.execute(tx);
  return rows;
}
