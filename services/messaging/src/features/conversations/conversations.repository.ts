/** The only file that reads and writes messages. */
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Attachment, Database, MessagesTable } from '../../db/schema.ts';

export type MessageRow = Selectable<MessagesTable>;
type Db = Kysely<Database> | Tx<Database>;

const pair = (a: string, b: string) => (a < b ? { user_a: a, user_b: b } : { user_a: b, user_b: a });

/** The next place in the order of a conversation; the row lock makes two senders take turns. */
async function takeSeq(tx: Tx<Database>, a: string, b: string): Promise<{ id: string; seq: number }> {
  const row = await tx
    .insertInto('conversations')
    .values({ id: uuidv7(), ...pair(a, b), last_seq: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_a', 'user_b'])
        .doUpdateSet({ last_seq: sql<number>`conversations.last_seq + 1` }),
    )
    .returning(['id', 'last_seq'])
    .executeTakeFirstOrThrow();
  return { id: row.id, seq: row.last_seq };
}

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

export async function insertMessage(
  tx: Tx<Database>,
  message: {
    senderId: string;
    receiverId: string;
    content: string;
    clientMessageId: string | null;
    attachment: Attachment | undefined;
  },
): Promise<MessageRow> {
  const place = await takeSeq(tx, message.senderId, message.receiverId);
  return tx
    .insertInto('messages')
    .values({
      id: uuidv7(),
      conversation_id: place.id,
      seq: place.seq,
      sender_id: message.senderId,
      receiver_id: message.receiverId,
      content: message.content,
      client_message_id: message.clientMessageId,
      attachment: message.attachment ? JSON.stringify(message.attachment) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The newest messages before a place, oldest first. */
export async function listMessages(
  db: Db,
  a: string,
  b: string,
  page: { before?: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const { user_a, user_b } = pair(a, b);
  let query = db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .selectAll('messages')
    .where('user_a', '=', user_a)
    .where('user_b', '=', user_b);
  if (page.before !== undefined) query = query.where('seq', '<', page.before);
  return (await query.orderBy('seq', 'desc').limit(page.limit).execute()).reverse();
}

/** @returns how many had not been read before */
export async function markRead(db: Db, receiverId: string, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ read_at: new Date() })
    .where('id', 'in', ids)
    .where('receiver_id', '=', receiverId)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function countUnread(db: Db, receiverId: string): Promise<number> {
  const row = await db
    .selectFrom('messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('receiver_id', '=', receiverId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}
