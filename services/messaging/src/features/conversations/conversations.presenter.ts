import type { MessageRow } from './conversations.repository.ts';

export const presentMessage = (message: MessageRow) => ({
  _id: message.id,
  sender_id: message.sender_id,
  receiver_id: message.receiver_id,
  content: message.content,
  created_at: message.created_at.toISOString(),
  is_read: message.read_at !== null,
  seq: message.seq,
});
