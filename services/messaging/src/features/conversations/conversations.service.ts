import { createReadStream } from 'node:fs';
import type { Message } from '@karaar/contracts/messaging/http';
import { takeBack } from '@karaar/storage/blobs';
import { isUniqueViolation } from '@karaar/db';
import { conflict, invalid } from '@karaar/base/errors';
import { isBlank, plainText } from '@karaar/base/schema';
import type { SpooledFile } from '@karaar/http';
import type { Context } from '../../context.ts';
import type { Attachment } from '../../db/schema.ts';
import { tooManyStrangers } from '../approaches/approaches.ts';
import { blockedByReceiver, receiverBlocked, receiverGone } from '../threads/threads.errors.ts';
import type { Pair } from '../threads/threads.repository.ts';
import { noteRead, requirePair, unreadCount } from '../threads/threads.service.ts';
import {
  findByClientId,
  listMessages,
  namedAttachments,
  type MessageRow,
  type NewMessage,
  type Page,
} from './conversations.repository.ts';

/**
 * Stores a message once per client message id and returns it.
 * @throws 404 for an unknown receiver, 403 for a block or a closed account, 422 for a blank text or the
 * sender as receiver, 409 if the id was used for another message, 429 above the limit of strangers
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
  const content = plainText(message.content);
  if (isBlank(content)) throw invalid([{ loc: 'content', msg: 'Please write a message.' }]);
  // UUIDs may be in either case.
  const receiverId = message.receiverId.toLowerCase();
  if (receiverId === senderId) {
    throw invalid([{ loc: 'receiver_id', msg: 'You cannot write to yourself.' }]);
  }
  const receiver = await requirePair(ctx, senderId, receiverId);
  const clientMessageId = message.clientMessageId ?? null;
  const refusal = refusalOf(receiver);
  if (refusal) {
    // A repeated request for a message that was stored before the block is not a new message.
    const known = clientMessageId && (await findByClientId(ctx.db, senderId, clientMessageId));
    if (!known) throw refusal;
  } else if (isStranger(receiver)) {
    const waitMs = await ctx.batched.approach({ userId: senderId, otherId: receiverId });
    if (waitMs > 0) throw tooManyStrangers(waitMs);
  }
  const attachment = message.file && (await storeFile(ctx, senderId, message.file));
  const stored = await storeOnce(ctx, { senderId, receiverId, content, clientMessageId, attachment });
  if (stored) return stored;
  if (attachment) await ctx.blobs.delete(attachment.path);
  const known = clientMessageId && (await findByClientId(ctx.db, senderId, clientMessageId));
  if (!known) throw new Error('A message was not stored, although its client message id is unused');
  const same =
    known.receiver_id === receiverId &&
    known.content === content &&
    known.attachment?.sha256 === attachment?.sha256;
  if (!same) throw conflict('message_id_used', 'This message id was used for another message.');
  return known;
}

/** Returns the stored message, or null if its client message id was used before. */
async function storeOnce(ctx: Context, message: NewMessage): Promise<MessageRow | null> {
  try {
    return await ctx.batched.insertMessage(message);
  } catch (error) {
    // Another process stored the same id at the same moment; this insert was rolled back.
    if (message.clientMessageId !== null && isUniqueViolation(error)) return null;
    if (message.attachment) {
      const named = (paths: readonly string[]) => namedAttachments(ctx.db, paths);
      await takeBack({ ...ctx, named }, error, [message.attachment.path]);
    }
    throw error;
  }
}

const isStranger = ({ last_seq, shared_documents }: Pair): boolean =>
  last_seq === 0 && shared_documents === 0;

function refusalOf(receiver: Pair): Error | null {
  if (receiver.blocked) return blockedByReceiver();
  if (receiver.blocks) return receiverBlocked();
  return receiver.is_active ? null : receiverGone();
}

async function storeFile(ctx: Context, senderId: string, file: SpooledFile): Promise<Attachment> {
  const { path, mime, size, sha256 } = await ctx.blobs.put(senderId, createReadStream(file.path), {
    mime: file.mime,
  });
  return { path, name: file.filename, mime, size, sha256 };
}

/** A conversation that a user opens. The page fetches the messages only if it does not have this state. */
export type OpenedConversation = {
  pair: Pair;
  /** Changes whenever an answer would differ. */
  state: string;
  messages: () => Promise<MessageRow[]>;
};

/**
 * Opens the conversation with a user. Everything up to the newest message counts as read, except with `peek`
 * and when paging backwards. Throws 404 for an unknown user.
 */
export async function openConversation(
  ctx: Context,
  readerId: string,
  otherId: string,
  options: Partial<Page> & { peek?: boolean | undefined },
): Promise<OpenedConversation> {
  let pair = await requirePair(ctx, readerId, otherId);
  if (pair.unread > 0 && !options.peek && options.before === undefined) {
    await noteRead(ctx, readerId, pair, pair.last_seq);
    pair = { ...pair, read_seq: pair.last_seq };
  }
  const { conversation_id } = pair;
  const page = { before: options.before, after: options.after, limit: options.limit ?? 100 };
  return {
    pair,
    // The state changes twice per link lifetime, so that a cached answer never shows an expired link.
    state: [
      pair.last_seq,
      pair.read_seq,
      pair.their_read_seq,
      pair.their_delivered_seq,
      Math.floor(Date.now() / (ctx.config.FILE_LINK_TTL_S * 500)),
      page.before ?? '',
      page.after ?? '',
      page.limit,
    ].join('.'),
    messages: async () => (conversation_id ? listMessages(ctx.db, conversation_id, page) : []),
  };
}

/** Sends a message that was just stored to both sides, and the new unread count to the receiver. */
export async function publishMessage(
  ctx: Context,
  message: MessageRow,
  present: (viewerId: string) => Message,
): Promise<void> {
  const { sender_id, receiver_id } = message;
  ctx.live.send(sender_id, 'message.new', { message: present(sender_id) });
  const unread_count = await unreadCount(ctx, receiver_id);
  ctx.live.send(receiver_id, 'message.new', { message: present(receiver_id), unread_count });
}
