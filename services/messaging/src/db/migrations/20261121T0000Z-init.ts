import { busTables, directoryTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** The messaging database: conversations of two, and their messages in order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await directoryTables(db);
  await sql`
    CREATE TABLE conversations (
      id uuid PRIMARY KEY,
      -- The smaller id first: two people have one conversation.
      user_a uuid NOT NULL,
      user_b uuid NOT NULL,
      last_seq integer NOT NULL DEFAULT 0,
      UNIQUE (user_a, user_b),
      CHECK (user_a < user_b)
    )`.execute(db);
  await sql`
    CREATE TABLE messages (
      id uuid PRIMARY KEY,
      conversation_id uuid NOT NULL REFERENCES conversations,
      seq integer NOT NULL,
      sender_id uuid NOT NULL,
      receiver_id uuid NOT NULL,
      content text NOT NULL CHECK (length(content) BETWEEN 1 AND 4000),
      client_message_id text,
      created_at timestamptz NOT NULL DEFAULT now(),
      read_at timestamptz,
      UNIQUE (conversation_id, seq),
      UNIQUE (sender_id, client_message_id)
    )`.execute(db);
  await sql`CREATE INDEX messages_unread ON messages (receiver_id) WHERE read_at IS NULL`.execute(db);
}
