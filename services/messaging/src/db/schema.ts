import type { DirectoryTable } from '@karaar/bus/directory';
import type { ColumnType, Generated, Kysely } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;

/** A file sent with a message, as stored in its jsonb column. The blob belongs to the sender. */
export type Attachment = {
  path: string;
  name: string;
  mime: string;
  size: number;
  sha256: string;
};

export type ConversationsTable = {
  id: string;
  user_a: string;
  user_b: string;
  last_seq: Generated<number>;
};

/** One user's side of a conversation, or of documents that two users share. */
export type ThreadsTable = {
  user_id: string;
  other_id: string;
  /** Null until the first message. */
  conversation_id: string | null;
  last_seq: Generated<number>;
  /**
   * The number of messages that this user has received here, and how many of them up to the last read one.
   */
  received: Generated<number>;
  read_nth: Generated<number>;
  unread: ColumnType<number, never, never>;
  /** The positions up to which this user has read the other's messages, and has received them on a device. */
  read_seq: Generated<number>;
  delivered_seq: Generated<number>;
  /** The position up to which this user was notified of unread messages. */
  told_seq: Generated<number>;
  written: Generated<boolean>;
  shared_documents: Generated<number>;
  active_at: Date;
};

/** The parties of a document in the newest event. */
export type SharedDocumentsTable = { document_id: string; people: string[]; version: number };

export type BlocksTable = { user_id: string; blocked_id: string; created_at: CreatedAt };

/** A first message to a user with whom the sender shares no document. */
export type ApproachesTable = { user_id: string; other_id: string; at: CreatedAt };

export type ReportsTable = {
  id: string;
  /** Null for an automatic report. */
  reporter_id: string | null;
  reported_id: string;
  reason: string;
  details: string;
  created_at: ColumnType<Date, never, Date>;
  resolved_at: Date | null;
  resolved_by: string | null;
  note: Generated<string>;
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
  /** The message's number among those that the receiver has received in this conversation. */
  nth: number;
  attachment: ColumnType<Attachment | null, string | null, never>;
};

/** The message of a client's id, unique over all partitions. A trigger of `messages` writes it. */
export type MessageKeysTable = {
  sender_id: ColumnType<string, never, never>;
  client_message_id: ColumnType<string, never, never>;
  conversation_id: ColumnType<string, never, never>;
  seq: ColumnType<number, never, never>;
};

export type Database = {
  conversations: ConversationsTable;
  messages: MessagesTable;
  message_keys: MessageKeysTable;
  threads: ThreadsTable;
  shared_documents: SharedDocumentsTable;
  blocks: BlocksTable;
  approaches: ApproachesTable;
  contact_searches: { user_id: string; at: CreatedAt };
  reports: ReportsTable;
  directory: DirectoryTable;
};

export type Db = Kysely<Database>;
