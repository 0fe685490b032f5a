import { addPartitions } from '@karaar/db/partitions';
import { busTables, directoryTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await directoryTables(db);
  await conversations(db);
  await threads(db);
  await safety(db);
}

async function conversations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE conversations (
      id uuid PRIMARY KEY,
      -- The smaller id first, so that two users have one conversation.
      user_a uuid NOT NULL,
      user_b uuid NOT NULL,
      last_seq integer NOT NULL DEFAULT 0,
      UNIQUE (user_a, user_b),
      CHECK (user_a < user_b)
    )`.execute(db);
  await sql`
    CREATE TABLE messages (
      id uuid NOT NULL,
      conversation_id uuid NOT NULL REFERENCES conversations,
      seq integer NOT NULL,
      sender_id uuid NOT NULL,
      receiver_id uuid NOT NULL,
      -- The message's number among those that the receiver has received in this conversation.
      nth integer NOT NULL,
      -- Typed with at most 4,000 characters, of which NFC makes up to three times as many.
      content text NOT NULL CHECK (length(content) BETWEEN 1 AND 12000),
      attachment jsonb,
      client_message_id text,
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (conversation_id, seq)
    ) PARTITION BY RANGE (conversation_id)`.execute(db);
  // For the export and erasure of a user's messages.
  await sql`CREATE INDEX messages_by_sender ON messages (sender_id, id)`.execute(db);
  // For the access check whenever a file is opened.
  await sql`
    CREATE INDEX messages_attachment_path ON messages ((attachment->>'path')) WHERE attachment IS NOT NULL`.execute(
    db,
  );
  // A client's id must be unique per sender, which a constraint cannot ensure across partitions. A trigger
  // fills the table, so that no writer can bypass the rule.
  await sql`
    CREATE TABLE message_keys (
      sender_id uuid NOT NULL,
      client_message_id text NOT NULL,
      conversation_id uuid NOT NULL,
      seq integer NOT NULL,
      PRIMARY KEY (sender_id, client_message_id)
    )`.execute(db);
  await sql`
    CREATE FUNCTION keep_message_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO message_keys (sender_id, client_message_id, conversation_id, seq)
        VALUES (NEW.sender_id, NEW.client_message_id, NEW.conversation_id, NEW.seq);
      RETURN NULL;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER messages_keep_key AFTER INSERT ON messages FOR EACH ROW
    WHEN (NEW.client_message_id IS NOT NULL) EXECUTE FUNCTION keep_message_key()`.execute(db);
  // Partitioned by the quarter in which the conversation began, so that a conversation is in one partition.
  await addPartitions(db, { table: 'messages', key: 'conversation_id', months: 3 });
}

async function threads(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE threads (
      user_id uuid NOT NULL,
      other_id uuid NOT NULL,
      conversation_id uuid REFERENCES conversations,
      last_seq integer NOT NULL DEFAULT 0,
      -- The number of messages that this user has received here, and of those up to the last read one. Both only
      -- grow, so that a new message and a read mark at the same time keep the count correct.
      received integer NOT NULL DEFAULT 0,
      read_nth integer NOT NULL DEFAULT 0,
      unread integer NOT NULL GENERATED ALWAYS AS (received - read_nth) STORED CHECK (unread >= 0),
      read_seq integer NOT NULL DEFAULT 0,
      delivered_seq integer NOT NULL DEFAULT 0,
      told_seq integer NOT NULL DEFAULT 0,
      written boolean NOT NULL DEFAULT false,
      shared_documents integer NOT NULL DEFAULT 0 CHECK (shared_documents >= 0),
      -- In whole milliseconds, because cursors contain it.
      active_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, other_id)
    )`.execute(db);
  // In the order of the chat list. Threads without a message or a shared document are not listed.
  await sql`
    CREATE INDEX threads_list ON threads (user_id, (unread > 0) DESC, active_at DESC, other_id DESC)
      WHERE last_seq > 0 OR shared_documents > 0`.execute(db);
  await sql`CREATE INDEX threads_unread ON threads (user_id) INCLUDE (unread) WHERE unread > 0`.execute(db);
  await sql`
    CREATE INDEX threads_untold ON threads (user_id) WHERE unread > 0 AND told_seq <= read_seq`.execute(db);
  await sql`
    CREATE TABLE shared_documents (
      document_id uuid PRIMARY KEY,
      people uuid[] NOT NULL,
      version integer NOT NULL
    )`.execute(db);
}

async function safety(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approaches (
      user_id uuid NOT NULL,
      other_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, other_id)
    )`.execute(db);
  await sql`
    CREATE TABLE contact_searches (user_id uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())`.execute(
    db,
  );
  await sql`CREATE INDEX contact_searches_by_user ON contact_searches (user_id, at)`.execute(db);
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
      -- Null for an automatic report.
      reporter_id uuid,
      reported_id uuid NOT NULL,
      reason text NOT NULL,
      details text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      resolved_at timestamptz,
      resolved_by uuid,
      note text NOT NULL DEFAULT ''
    )`.execute(db);
  // A user has at most one open report about another user.
  await sql`CREATE UNIQUE INDEX reports_open ON reports (reporter_id, reported_id) WHERE resolved_at IS NULL`.execute(
    db,
  );
  await sql`
    CREATE UNIQUE INDEX reports_open_automatic ON reports (reported_id, reason)
    WHERE resolved_at IS NULL AND reporter_id IS NULL`.execute(db);
}
