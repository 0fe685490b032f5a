/** The messaging service's HTTP contract (spec §7 Messaging). */
import { Type } from 'typebox';
import { defineRoute, IdParams, IsoDateTime } from '../kit.ts';
import { ATTACHMENT_MAX_BYTES } from '../limits.ts';

export const Attachment = Type.Object({
  name: Type.String(),
  mime: Type.String({ description: 'By content, never by name' }),
  size: Type.Integer({ description: 'Bytes' }),
  path: Type.String({ description: 'A link for the caller that works for some minutes' }),
});

export const Message = Type.Object({
  _id: Type.String(),
  sender_id: Type.String(),
  receiver_id: Type.String(),
  content: Type.String(),
  created_at: IsoDateTime,
  is_read: Type.Boolean(),
  attachment: Type.Optional(Attachment),
  seq: Type.Integer({ description: 'Order within the conversation, from 1 without gaps' }),
});

export const messagingRoutes = {
  send: defineRoute({
    method: 'POST',
    path: '/messaging/send',
    access: 'user',
    summary:
      'Send a message, as JSON or with a file as a form; the same client_message_id stores one message',
    multipart: {
      fields: Type.Object({
        receiver_id: Type.String({ minLength: 1, maxLength: 64 }),
        content: Type.String({ minLength: 1, maxLength: 4_000 }),
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
  conversation: defineRoute({
    method: 'GET',
    path: '/messaging/conversations/:id',
    access: 'user',
    summary: 'The messages between the caller and a user, oldest first; marks received ones as read',
    params: IdParams,
    query: Type.Object({
      before: Type.Optional(Type.Integer({ minimum: 1, description: 'Only messages with a smaller seq' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    }),
    response: { 200: Type.Array(Message) },
  }),
  unreadCount: defineRoute({
    method: 'GET',
    path: '/messaging/unread-count',
    access: 'user',
    summary: 'How many messages the caller has not read',
    response: { 200: Type.Object({ unread_count: Type.Integer() }) },
  }),
} as const;
