import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

export type SentRow = {
  id: string;
  receiver_name: string | null;
  content: string;
  attachment_name: string | null;
  created_at: Date;
};

/** Returns a page of the messages that a user sent, by id. */
export async function sentRows(
  db: Db,
  userId: string,
  after: string | null,
  limit: number,
): Promise<SentRow[]> {
  const { rows } = await sql<SentRow>`
    SELECT m.id, d.name AS receiver_name, m.content, m.attachment->>'name' AS attachment_name, m.created_at
    FROM messages m LEFT JOIN directory d ON d.user_id = m.receiver_id
    WHERE m.sender_id = ${userId} AND (${after}::uuid IS NULL OR m.id > ${after}::uuid)
    ORDER BY m.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Empties a user's sent messages. The other user keeps the empty message and their own messages. */
export async function eraseSent(tx: Tx<Database>, userId: string): Promise<void> {
  await sql`UPDATE messages SET content = '—', attachment = NULL WHERE sender_id = ${userId}`.execute(tx);
}
