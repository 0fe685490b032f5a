/** Storing and reading messages. */
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Attachment, Database, MessagesTable } from '../../db/schema.ts';

export type MessageRow = Selectable<MessagesTable>;
type Db = Kysely<Database> | Tx<Database>;

export async function findByClientId(
  db: Db,
  senderId: string,
  clientMessageId: string,
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('sender_id', '=', senderId)
    .where('client_message_id', '=', clientMessageId)
    .executeTakeFirst();
}

/**
 * Stores a message with its place in the order, and both sides' threads, in one statement: it is the work of every
 * message, and a transaction of several would hold the conversation's lock over as many round trips. The lock of the
 * conversation's row makes two senders take turns; everything else depends on what it returns. A repeated client
 * message id breaks the whole statement, and with it the place it had taken.
 */
export async function insertMessage(
  db: Kysely<Database>,
  message: {
    senderId: string;
    receiverId: string;
    content: string;
    clientMessageId: string | null;
    attachment: Attachment | undefined;
  },
): Promise<MessageRow> {
  const { senderId, receiverId, content, clientMessageId } = message;
  const attachment = message.attachment ? JSON.stringify(message.attachment) : null;
  const { rows } = await sql<MessageRow>`
    WITH place AS (
      INSERT INTO conversations AS c (id, user_a, user_b, last_seq)
      VALUES (${uuidv7()}, LEAST(${senderId}::uuid, ${receiverId}::uuid), GREATEST(${senderId}::uuid, ${receiverId}::uuid), 1)
      ON CONFLICT (user_a, user_b) DO UPDATE SET last_seq = c.last_seq + 1
      RETURNING id, last_seq, date_trunc('milliseconds', clock_timestamp()) AS at
    ), sides AS (
      INSERT INTO threads AS t (user_id, other_id, conversation_id, last_seq, received, written, active_at)
      SELECT side.user_id, side.other_id, place.id, place.last_seq, side.gets, side.gets = 0, place.at
      FROM place, (VALUES (${senderId}::uuid, ${receiverId}::uuid, 0), (${receiverId}::uuid, ${senderId}::uuid, 1))
        AS side (user_id, other_id, gets)
      ORDER BY side.user_id
      ON CONFLICT (user_id, other_id) DO UPDATE SET
        conversation_id = excluded.conversation_id, last_seq = excluded.last_seq,
        received = t.received + excluded.received, written = t.written OR excluded.written,
        active_at = excluded.active_at
      RETURNING user_id, received
    )
    INSERT INTO messages (id, conversation_id, seq, nth, sender_id, receiver_id, content, client_message_id, attachment,
      created_at)
    SELECT ${uuidv7()}, place.id, place.last_seq, sides.received, ${senderId}, ${receiverId}, ${content},
      ${clientMessageId}, ${attachment}::jsonb, place.at
    FROM place, sides WHERE sides.user_id = ${receiverId}::uuid
    RETURNING *`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A message was stored without a row');
  return row;
}

export type Page = { before?: number | undefined; after?: number | undefined; limit: number };

/** The newest messages (before a place), or the next ones after a place; oldest first. */
export async function listMessages(db: Db, conversationId: string, page: Page): Promise<MessageRow[]> {
  let query = db.selectFrom('messages').selectAll().where('conversation_id', '=', conversationId);
  if (page.before !== undefined) query = query.where('seq', '<', page.before);
  if (page.after !== undefined) {
    return query.where('seq', '>', page.after).orderBy('seq').limit(page.limit).execute();
  }
  return (await query.orderBy('seq', 'desc').limit(page.limit).execute()).reverse();
}
