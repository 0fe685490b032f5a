/** Creates a conversation of several years' length directly in the database. */
import pg from 'pg';

/**
 * Fills the conversation of two users, who have written once already, up to a number of messages: `Message
 * 2`, `Message 3` … from the first user, a second apart, all unread.
 * @param databaseUrl of the messaging service
 * @param people their user ids
 */
export async function fillConversation(
  databaseUrl: string,
  people: readonly [writer: string, reader: string],
  count: number,
): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    await db.query(
      `INSERT INTO messages (id, conversation_id, seq, nth, sender_id, receiver_id, content, created_at)
       SELECT gen_random_uuid(), t.conversation_id, n, n, $1, $2, 'Message ' || n, now() - make_interval(secs => $3 - n)
       FROM threads t, generate_series(t.last_seq + 1, $3::int) AS n WHERE t.user_id = $1 AND t.other_id = $2`,
      [...people, count],
    );
    await db.query(
      `WITH one AS (UPDATE conversations SET last_seq = $3 WHERE user_a = LEAST($1::uuid, $2) AND user_b = GREATEST($1::uuid, $2))
       UPDATE threads SET last_seq = $3, received = CASE WHEN user_id = $2 THEN $3 ELSE received END
       WHERE (user_id, other_id) IN (($1, $2), ($2, $1))`,
      [...people, count],
    );
    await db.query('ANALYZE messages');
  } finally {
    await db.end();
  }
}
