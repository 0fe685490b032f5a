import { uuidv7, prepared } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Attachment, Db, MessagesTable } from '../../db/schema.ts';

export type MessageRow = Selectable<MessagesTable>;

export async function findByClientId(
  db: Db,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('message_keys as key')
    .innerJoin('messages', (on) =>
      on.onRef('messages.conversation_id', '=', 'key.conversation_id').onRef('messages.seq', '=', 'key.seq'),
    )
    .selectAll('messages')
    .where('key.sender_id', '=', senderId)
    .where('key.client_message_id', '=', clientMessageId)
    .executeTakeFirst();
}

/** Returns those of the paths that a message has as its attachment. */
export async function namedAttachments(db: Db, paths: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    SELECT attachment->>'path' AS path FROM messages
    WHERE attachment IS NOT NULL AND attachment->>'path' = ANY (${paths})`.execute(db);
  return rows.map(({ path }) => path);
}

export type NewMessage = {
  senderId: string;
  receiverId: string;
  content: string;
  clientMessageId: string | null;
  attachment: Attachment | undefined;
};

/** Returns the same key for both directions of a conversation. */
export const conversationOf = ({ senderId, receiverId }: NewMessage): string =>
  [senderId, receiverId].sort().join(' ');

/**
 * Stores messages of different conversations in one statement, with their positions and both sides' threads,
 * so that simultaneous messages share round trip, planning and commit. The lock of a conversation's row makes
 * its two senders wait for each other. To prevent deadlocks, all code locks in the same order: conversations,
 * then threads, each by the two users and then by side.
 * A client message id that another transaction is storing at the same time fails the whole statement: the
 * caller then stores the messages one by one.
 * @returns for each its row; null if the client message id was used before
 */
export async function insertMessages(
  db: Db,
  messages: readonly NewMessage[],
): Promise<(MessageRow | null)[]> {
  const ids = messages.map(() => uuidv7());
  const column = <T>(read: (message: NewMessage) => T) => messages.map(read);
  const { rows } = await prepared(
    'chat_insert',
    sql<MessageRow>`
    WITH given AS (
      SELECT g.*, LEAST(sender_id, receiver_id) AS user_a, GREATEST(sender_id, receiver_id) AS user_b
      FROM unnest(${ids}::uuid[], ${column((each) => each.senderId)}::uuid[],
        ${column((each) => each.receiverId)}::uuid[], ${column((each) => each.content)}::text[],
        ${column((each) => each.clientMessageId)}::text[],
        ${column(({ attachment }) => (attachment ? JSON.stringify(attachment) : null))}::text[])
        AS g (id, sender_id, receiver_id, content, client_message_id, attachment)
      WHERE NOT EXISTS (
        SELECT FROM message_keys k WHERE k.sender_id = g.sender_id AND k.client_message_id = g.client_message_id)
    ), place AS (
      INSERT INTO conversations AS c (id, user_a, user_b, last_seq)
      -- A UUIDv7, because the time in the id decides the partition of the conversation's messages.
      SELECT uuidv7(), user_a, user_b, 1 FROM given ORDER BY user_a, user_b
      ON CONFLICT (user_a, user_b) DO UPDATE SET last_seq = c.last_seq + 1
      RETURNING id AS conversation_id, user_a, user_b, last_seq,
        date_trunc('milliseconds', clock_timestamp()) AS at
    ), placed AS (
      SELECT * FROM given JOIN place USING (user_a, user_b)
    ), sides AS (
      INSERT INTO threads AS t (user_id, other_id, conversation_id, last_seq, received, written, active_at)
      SELECT side.user_id, side.other_id, conversation_id, last_seq, side.gets, side.gets = 0, at
      FROM placed, LATERAL (VALUES (sender_id, receiver_id, 0), (receiver_id, sender_id, 1))
        AS side (user_id, other_id, gets)
      ORDER BY user_a, user_b, side.user_id
      ON CONFLICT (user_id, other_id) DO UPDATE SET
        conversation_id = excluded.conversation_id, last_seq = excluded.last_seq,
        received = t.received + excluded.received, written = t.written OR excluded.written,
        active_at = excluded.active_at
      RETURNING user_id, other_id, received
    )
    INSERT INTO messages (id, conversation_id, seq, nth, sender_id, receiver_id, content, client_message_id, attachment,
      created_at)
    SELECT p.id, p.conversation_id, p.last_seq, s.received, p.sender_id, p.receiver_id, p.content,
      p.client_message_id, p.attachment::jsonb, p.at
    FROM placed p JOIN sides s ON s.user_id = p.receiver_id AND s.other_id = p.sender_id
    RETURNING id, conversation_id, seq, nth, sender_id, receiver_id, content, client_message_id, attachment,
      created_at`,
  ).execute(db);
  const stored = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => stored.get(id) ?? null);
}

export type Page = { before?: number | undefined; after?: number | undefined; limit: number };

/** Returns the newest messages (before a position), or the next ones after a position; oldest first. */
export async function listMessages(db: Db, conversationId: string, page: Page): Promise<MessageRow[]> {
  let query = db.selectFrom('messages').selectAll().where('conversation_id', '=', conversationId);
  if (page.before !== undefined) query = query.where('seq', '<', page.before);
  if (page.after !== undefined) {
    return query.where('seq', '>', page.after).orderBy('seq').limit(page.limit).execute();
  }
  return (await query.orderBy('seq', 'desc').limit(page.limit).execute()).reverse();
}

/** Returns true if a stored file was sent with a message from or to this user. */
export async function isFileOfUser(db: Db, path: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM messages
    WHERE attachment IS NOT NULL AND attachment->>'path' = ${path} AND ${userId}::uuid IN (sender_id, receiver_id)
    LIMIT 1`.execute(db);
  return rows.length > 0;
}
