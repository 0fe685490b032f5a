import type { MessageRow } from './conversations.repository.ts';

/** @param sign makes a link for the viewer from a stored path */
export const presentMessage = (message: MessageRow, sign: (path: string, filename: string) => string) => ({
  _id: message.id,
  sender_id: message.sender_id,
  receiver_id: message.receiver_id,
  content: message.content,
  created_at: message.created_at.toISOString(),
  is_read: message.read_at !== null,
  ...(message.attachment && {
    attachment: {
      name: message.attachment.name,
      mime: message.attachment.mime,
      size: message.attachment.size,
      path: sign(message.attachment.path, message.attachment.name),
    },
  }),
  seq: message.seq,
});
