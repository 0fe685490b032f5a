/** The messaging service's HTTP contract (spec §7 Messaging). */
import { Type, type Static } from 'typebox';
import { defineRoute, IdParams, IsoDateTime, MessageBody, nullable, Uuid } from '../kit.ts';
import { ATTACHMENT_MAX_BYTES, MESSAGE_MAX_CHARS, SEQ_MAX } from '../limits.ts';
import { reportRoutes } from './reports.ts';

export const Attachment = Type.Object({
  name: Type.String(),
  mime: Type.String({ description: 'By content, never by name' }),
  size: Type.Integer({ description: 'Bytes' }),
  path: Type.String({
    description:
      'A link for this session of the caller that works for some minutes; empty in what a socket tells',
  }),
});

export const Message = Type.Object({
  _id: Type.String(),
  sender_id: Type.String(),
  receiver_id: Type.String(),
  content: Type.String(),
  created_at: IsoDateTime,
  is_read: Type.Boolean(),
  is_delivered: Type.Boolean({ description: 'A device of the receiver has got it' }),
  attachment: Type.Optional(Attachment),
  seq: Type.Integer({ description: 'Order within the conversation, from 1 without gaps' }),
  client_message_id: Type.Optional(
    Type.String({ description: "The sender's own id of it; told to the sender only" }),
  ),
});
export type Message = Static<typeof Message>;

/**
 * A user as the other side of a chat: phone and e-mail are masked until both share a document or have both
 * written.
 */
export const ChatPerson = Type.Object({
  user_id: Type.String(),
  char_id: Type.String(),
  name: Type.String({ description: 'Empty when the account is gone' }),
  email: Type.String(),
  phone_no: Type.String(),
  is_active: Type.Boolean({ description: 'False: takes no messages any more' }),
  shared_documents: Type.Integer({ description: 'Documents of which both are a party' }),
  blocked: Type.Boolean({ description: 'The caller has blocked this user' }),
});
export type ChatPerson = Static<typeof ChatPerson>;

export const Conversation = Type.Object({
  user: ChatPerson,
  last_message: nullable(
    Type.Object({
      sender_id: Type.String(),
      content: Type.String(),
      created_at: IsoDateTime,
      is_read: Type.Boolean(),
      is_delivered: Type.Boolean(),
      attachment_name: nullable(Type.String()),
    }),
  ),
  unread_count: Type.Integer(),
});
export type Conversation = Static<typeof Conversation>;

const UserParams = Type.Object({ userId: Uuid });
const UnreadCount = Type.Object({ unread_count: Type.Integer() });

export const messagingRoutes = {
  send: defineRoute({
    method: 'POST',
    path: '/messaging/send',
    access: 'user',
    quickWithoutFiles: true,
    summary:
      'Send a message, as JSON or with a file as a form; the same client_message_id stores one message',
    multipart: {
      fields: Type.Object({
        receiver_id: Type.String({ minLength: 1, maxLength: 64 }),
        content: Type.String({ minLength: 1, maxLength: MESSAGE_MAX_CHARS }),
        client_message_id: Type.Optional(Type.String({ minLength: 8, maxLength: 64 })),
      }),
      files: {
        attachment: {
          required: false,
          maxBytes: ATTACHMENT_MAX_BYTES,
          accept: ['image', 'pdf', 'doc', 'docx'],
        },
      },
    },
    response: { 201: Type.Object({ message_id: Type.String(), message: Message }) },
    timeoutMs: 60_000,
  }),
  conversations: defineRoute({
    method: 'GET',
    path: '/messaging/conversations',
    access: 'user',
    summary:
      'The chat list: whom the caller writes with or shares a document with, unread first, then by what happened last',
    query: Type.Object({
      search: Type.Optional(
        Type.String({
          maxLength: 254,
          description: 'By name; by e-mail and phone as far as they are shown',
        }),
      ),
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    response: {
      200: Type.Object({ items: Type.Array(Conversation), next_cursor: nullable(Type.String()) }),
    },
  }),
  conversation: defineRoute({
    method: 'GET',
    path: '/messaging/conversations/:id',
    access: 'user',
    summary:
      'The messages between the caller and a user, oldest first; marks received ones as read unless `peek`. ' +
      'Carries an ETag and answers 304 when nothing is new',
    params: IdParams,
    query: Type.Object({
      before: Type.Optional(
        Type.Integer({ minimum: 1, maximum: SEQ_MAX, description: 'Only messages with a smaller seq' }),
      ),
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: SEQ_MAX,
          description: 'Only messages with a larger seq, from the smallest on',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
      peek: Type.Optional(Type.Boolean({ description: 'Marks nothing as read' })),
    }),
    response: { 200: Type.Array(Message) },
  }),
  markRead: defineRoute({
    method: 'POST',
    path: '/messaging/conversations/:id/read',
    access: 'user',
    summary: 'The caller has read what this user wrote, up to and with a place',
    params: IdParams,
    body: Type.Object({ up_to_seq: Type.Integer({ minimum: 1, maximum: SEQ_MAX }) }),
    response: { 200: UnreadCount },
  }),
  person: defineRoute({
    method: 'GET',
    path: '/messaging/people/:id',
    access: 'user',
    summary: 'A user as the header of a chat shows one',
    params: IdParams,
    response: { 200: ChatPerson },
  }),
  block: defineRoute({
    method: 'POST',
    path: '/messaging/blocks/:userId',
    access: 'user',
    summary: 'Take no more messages of a user; what was written stays',
    params: UserParams,
    response: { 200: MessageBody },
  }),
  unblock: defineRoute({
    method: 'DELETE',
    path: '/messaging/blocks/:userId',
    access: 'user',
    summary: 'Take messages of a user again',
    params: UserParams,
    response: { 200: MessageBody },
  }),
  unreadCount: defineRoute({
    method: 'GET',
    path: '/messaging/unread-count',
    access: 'user',
    summary: 'How many messages the caller has not read',
    response: { 200: UnreadCount },
  }),
  ...reportRoutes,
} as const;
