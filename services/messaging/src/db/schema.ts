/** The messaging database as kysely sees it; the migrations are its source. */
import type { DirectoryTable } from '@karaar/platform/directory';
import type { ColumnType, Generated, Kysely } from 'kysely';

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
};

/** One user's side of a conversation, or of documents that two people share. */
export type ThreadsTable = {
  user_id: string;
  other_id: string;
  /** Null while nobody has written. */
  conversation_id: string | null;
  last_seq: Generated<number>;
  /** Messages that this user has received here, and how many of them up to the last read one. */
  received: Generated<number>;
  read_nth: Generated<number>;
  unread: ColumnType<number, never, never>;
  /** Up to which place this user has read what the other wrote, and a device of this user has got it. */
  read_seq: Generated<number>;
  delivered_seq: Generated<number>;
  /** Up to which place this user was told that messages wait unread. */
  told_seq: Generated<number>;
  /** This user has written here. */
  written: Generated<boolean>;
  shared_documents: Generated<number>;
  active_at: Date;
};

/** The parties of a document as last heard of. */
export type SharedDocumentsTable = { document_id: string; people: string[]; version: number };

export type BlocksTable = { user_id: string; blocked_id: string; created_at: CreatedAt };

/** A first message to a user with whom the sender shares no document. */
export type ApproachesTable = { user_id: string; other_id: string; at: CreatedAt };

export type ReportsTable = {
  id: string;
  /** Null where Karaar itself reports. */
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
  /** Which of the messages that the receiver has received in this conversation. */
  nth: number;
  attachment: ColumnType<Attachment | null, string | null, never>;
};

/** Which message a client's id stands for; written by a trigger of `messages`, unique over all of them. */
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

/** The service's database, or a transaction on it. */
export type Db = Kysely<Database>;
