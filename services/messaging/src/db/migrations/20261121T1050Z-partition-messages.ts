import { partitionByTime } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/**
 * Divides the messages by the quarter in which their conversation began: they are read and written by conversation, so
 * that a page of one lies in one partition. That a client's id counts once for a sender cannot be a rule across
 * partitions; a small table that is not divided keeps it, filled by a trigger, so that no writer can pass it by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE message_keys (
      sender_id uuid NOT NULL,
      client_message_id text NOT NULL,
      conversation_id uuid NOT NULL,
      seq integer NOT NULL,
      PRIMARY KEY (sender_id, client_message_id)
    )`.execute(db);
  await sql`
    INSERT INTO message_keys
    SELECT sender_id, client_message_id, conversation_id, seq FROM messages
    WHERE client_message_id IS NOT NULL`.execute(db);
  await sql`
    ALTER TABLE messages
      DROP CONSTRAINT messages_sender_id_client_message_id_key,
      DROP CONSTRAINT messages_conversation_id_seq_key,
      DROP CONSTRAINT messages_pkey,
      ADD PRIMARY KEY (conversation_id, seq)`.execute(db);
  // What somebody has written is exported and erased with the account.
  await sql`CREATE INDEX messages_by_sender ON messages (sender_id, id)`.execute(db);
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
  await partitionByTime(db, { table: 'messages', key: 'conversation_id', months: 3 });
}
