/** The messaging database as kysely sees it; the migrations are its source. */
import type { DirectoryTable } from '@karaar/platform/directory';
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;

/** A file sent with a message, as its jsonb column has it. The blob belongs to the sender. */
export type Attachment = {
  /** In the blob store. */
  path: string;
  name: string;
  mime: string;
  /** Bytes. */
  size: number;
  sha256: string;
};

export type ConversationsTable = {
  id: string;
  user_a: string;
  user_b: string;
  last_seq: Generated<number>;
  /** Up to which place what the other wrote has reached a device of this one. */
  delivered_to_a: Generated<number>;
  delivered_to_b: Generated<number>;
};

export type MessagesTable = {
  id: string;
  conversation_id: string;
  seq: number;
  sender_id: string;
  receiver_id: string;
  content: string;
  client_message_id: string | null;
  created_at: CreatedAt;
  read_at: ColumnType<Date | null, never, Date>;
  attachment: ColumnType<Attachment | null, string | null, never>;
};

export type Database = {
  conversations: ConversationsTable;
  messages: MessagesTable;
  directory: DirectoryTable;
};
