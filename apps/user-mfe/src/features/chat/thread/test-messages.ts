import type { Message } from '@karaar/contracts/messaging/http';

export const message = (seq: number, more: Partial<Message> = {}): Message => ({
  _id: `m${seq}`,
  sender_id: seq % 2 ? 'asha' : 'vikram',
  receiver_id: seq % 2 ? 'vikram' : 'asha',
  content: String(seq),
  created_at: '2026-11-21T05:00:00.000Z',
  is_read: false,
  is_delivered: false,
  seq,
  ...more,
});

export const run = (from: number, to: number): Message[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => message(from + at));
