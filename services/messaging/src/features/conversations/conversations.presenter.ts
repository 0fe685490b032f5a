import type { Message } from '@karaar/contracts/messaging/http';
import type { Marks } from '../threads/threads.repository.ts';
import type { MessageRow } from './conversations.repository.ts';

type Viewer = {
  id: string;
  marks: Marks;
  /** Makes a link from a stored path. */ sign: (path: string, filename: string) => string;
};

export function presentMessage(message: MessageRow, { id, marks, sign }: Viewer): Message {
  const { attachment: file, client_message_id, seq } = message;
  const mine = message.sender_id === id;
  return {
    _id: message.id,
    sender_id: message.sender_id,
    receiver_id: message.receiver_id,
    content: message.content,
    created_at: message.created_at.toISOString(),
    is_read: seq <= (mine ? marks.their_read_seq : marks.read_seq),
    is_delivered: !mine || seq <= Math.max(marks.their_delivered_seq, marks.their_read_seq),
    ...(file && {
      attachment: { name: file.name, mime: file.mime, size: file.size, path: sign(file.path, file.name) },
    }),
    seq,
    ...(mine && client_message_id !== null && { client_message_id }),
  };
}
