import { sql, type Kysely } from 'kysely';

/**
 * A row per user and other side, so that the chat list, the counts and the marks are read by one key: who has got and
 * read how much, how many messages are unread, how many documents are shared. Blocks and reports.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE threads (
      user_id uuid NOT NULL,
      other_id uuid NOT NULL,
      conversation_id uuid REFERENCES conversations,
      last_seq integer NOT NULL DEFAULT 0,
      -- How many messages this user has received here, and how many of them were there at the last read one: both
      -- only grow, so that a message and its being read cannot miscount each other.
      received integer NOT NULL DEFAULT 0,
      read_nth integer NOT NULL DEFAULT 0,
      unread integer NOT NULL GENERATED ALWAYS AS (received - read_nth) STORED CHECK (unread >= 0),
      read_seq integer NOT NULL DEFAULT 0,
      delivered_seq integer NOT NULL DEFAULT 0,
      written boolean NOT NULL DEFAULT false,
      shared_documents integer NOT NULL DEFAULT 0 CHECK (shared_documents >= 0),
      -- In whole milliseconds: it goes into cursors.
      active_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, other_id)
    )`.execute(db);
  await sql`ALTER TABLE messages ADD COLUMN nth integer`.execute(db);
  await sql`
    UPDATE messages SET nth = counted.nth FROM (
      SELECT id, row_number() OVER (PARTITION BY conversation_id, receiver_id ORDER BY seq) AS nth FROM messages
    ) counted WHERE counted.id = messages.id`.execute(db);
  await sql`
    INSERT INTO threads (user_id, other_id, conversation_id, last_seq, received, read_nth, read_seq, delivered_seq,
      written, active_at)
    SELECT side.user_id, side.other_id, c.id, c.last_seq,
      count(*) FILTER (WHERE m.receiver_id = side.user_id),
      coalesce(max(m.nth) FILTER (WHERE m.receiver_id = side.user_id AND m.read_at IS NOT NULL), 0),
      coalesce(max(m.seq) FILTER (WHERE m.receiver_id = side.user_id AND m.read_at IS NOT NULL), 0),
      side.delivered, bool_or(m.sender_id = side.user_id), date_trunc('milliseconds', max(m.created_at))
    FROM conversations c
    CROSS JOIN LATERAL (VALUES (c.user_a, c.user_b, c.delivered_to_a), (c.user_b, c.user_a, c.delivered_to_b))
      AS side (user_id, other_id, delivered)
    JOIN messages m ON m.conversation_id = c.id
    GROUP BY side.user_id, side.other_id, side.delivered, c.id`.execute(db);
  // The list's own order; what has neither a message nor a shared document is in no list.
  await sql`
    CREATE INDEX threads_list ON threads (user_id, (unread > 0) DESC, active_at DESC, other_id DESC)
      WHERE last_seq > 0 OR shared_documents > 0`.execute(db);
  await sql`CREATE INDEX threads_unread ON threads (user_id) INCLUDE (unread) WHERE unread > 0`.execute(db);
  await sql`ALTER TABLE messages ALTER COLUMN nth SET NOT NULL`.execute(db);
  await sql`ALTER TABLE messages DROP COLUMN read_at`.execute(db);
  await sql`ALTER TABLE conversations DROP COLUMN delivered_to_a, DROP COLUMN delivered_to_b`.execute(db);
  await sql`
    CREATE TABLE shared_documents (
      document_id uuid PRIMARY KEY,
      people uuid[] NOT NULL,
      version integer NOT NULL
    )`.execute(db);
  await sql`
    CREATE TABLE blocks (
      user_id uuid NOT NULL,
      blocked_id uuid NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, blocked_id)
    )`.execute(db);
  await sql`
    CREATE TABLE reports (
      id uuid PRIMARY KEY,
      reporter_id uuid NOT NULL,
      reported_id uuid NOT NULL,
      reason text NOT NULL,
      details text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      resolved_at timestamptz,
      resolved_by uuid,
      note text NOT NULL DEFAULT ''
    )`.execute(db);
  // One open report of a user about another, however often it is sent.
  await sql`CREATE UNIQUE INDEX reports_open ON reports (reporter_id, reported_id) WHERE resolved_at IS NULL`.execute(
    db,
  );
}
