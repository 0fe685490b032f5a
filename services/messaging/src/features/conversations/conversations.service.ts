/** Writing to another user and reading what was written. */
import { createReadStream } from 'node:fs';
import type { LiveEvents } from '@karaar/contracts/messaging/live';
import { inTransaction, isUniqueViolation } from '@karaar/platform/db-kit';
import { conflict, invalid, isConnectionError, notFound } from '@karaar/platform/errors';
import type { SpooledFile } from '@karaar/platform/http-kit';
import type { Context } from '../../context.ts';
import type { Attachment } from '../../db/schema.ts';
import {
  countUnread,
  findByClientId,
  insertMessage,
  listMessages,
  markRead,
  type MessageRow,
} from './conversations.repository.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const userNotFound = () => notFound('user_not_found', 'User not found');

async function requireUser(ctx: Context, id: string): Promise<void> {
  if (!UUID.test(id) || !(await ctx.directory.findById(id))) throw userNotFound();
}

/**
 * Stores a message, once per client message id. Throws 404 for an unknown receiver, 422 for a blank text,
 * 409 when the id was used for another message.
 */
export async function sendMessage(
  ctx: Context,
  senderId: string,
  message: {
    receiverId: string;
    content: string;
    clientMessageId?: string | undefined;
    file?: SpooledFile | undefined;
  },
): Promise<MessageRow> {
  const content = message.content.trim();
  if (content === '') throw invalid([{ loc: 'content', msg: 'Please write a message.' }]);
  if (message.receiverId === senderId) {
    throw invalid([{ loc: 'receiver_id', msg: 'You cannot write to yourself.' }]);
  }
  await requireUser(ctx, message.receiverId);
  const clientMessageId = message.clientMessageId ?? null;
  const attachment = message.file && (await storeFile(ctx, senderId, message.file));
  try {
    return await inTransaction(ctx.db, (tx) =>
      insertMessage(tx, { senderId, receiverId: message.receiverId, content, clientMessageId, attachment }),
    );
  } catch (error) {
    // With a broken connection the message may be there after all: its file must not be missing then.
    if (attachment && !isConnectionError(error)) await ctx.blobs.delete(attachment.path);
    // The unique index tells a retry from a new message; the place it had taken was rolled back.
    if (!clientMessageId || !isUniqueViolation(error)) throw error;
    const known = await findByClientId(ctx.db, senderId, clientMessageId);
    if (!known) throw error;
    const same =
      known.receiver_id === message.receiverId &&
      known.content === content &&
      known.attachment?.sha256 === attachment?.sha256;
    if (!same) throw conflict('message_id_used', 'This message id was used for another message.');
    return known;
  }
}

async function storeFile(ctx: Context, senderId: string, file: SpooledFile): Promise<Attachment> {
  const { path, mime, size, sha256 } = await ctx.blobs.put(senderId, createReadStream(file.path), {
    mime: file.mime,
  });
  return { path, name: file.filename, mime, size, sha256 };
}

/** The messages between two users, oldest first; what the reader received is read from now on. */
export async function readConversation(
  ctx: Context,
  readerId: string,
  otherId: string,
  page: { before?: number | undefined; limit?: number | undefined },
): Promise<MessageRow[]> {
  await requireUser(ctx, otherId);
  const messages = await listMessages(ctx.db, readerId, otherId, {
    before: page.before,
    limit: page.limit ?? 100,
  });
  const fresh = messages.filter((row) => row.receiver_id === readerId && row.read_at === null);
  const read = await markRead(
    ctx.db,
    readerId,
    fresh.map((row) => row.id),
  );
  const newest = fresh.at(-1);
  if (read > 0 && newest) {
    ctx.live.tell(otherId, 'message.read', { reader_id: readerId, up_to_seq: newest.seq });
    ctx.live.tell(readerId, 'unread', { unread_count: await countUnread(ctx.db, readerId) });
  }
  return messages;
}

/** Tells both sides of a message that was just stored, each with links of their own, and the receiver's new count. */
export async function tellOfMessage(
  ctx: Context,
  message: MessageRow,
  present: (viewerId: string) => LiveEvents['message.new']['message'],
): Promise<void> {
  for (const viewerId of [message.receiver_id, message.sender_id])
    ctx.live.tell(viewerId, 'message.new', { message: present(viewerId) });
  const unread_count = await countUnread(ctx.db, message.receiver_id);
  ctx.live.tell(message.receiver_id, 'unread', { unread_count });
}

export const unreadCount = (ctx: Context, userId: string): Promise<number> => countUnread(ctx.db, userId);
