import type { ChatPerson, Conversation } from '@karaar/contracts/messaging/http';
import { maskEmail, maskPhone } from '@karaar/bus/directory';
import type { ListedThread, Pair } from './threads.repository.ts';

export const presentPerson = (pair: Pair): ChatPerson => ({
  user_id: pair.user_id,
  char_id: pair.char_id,
  name: pair.name,
  email: pair.known ? pair.email : maskEmail(pair.email),
  phone_no: pair.known ? pair.phone_no : maskPhone(pair.phone_no),
  is_active: pair.is_active,
  shared_documents: pair.shared_documents,
  blocked: pair.blocks,
});

export const presentThread = (thread: ListedThread): Conversation => ({
  user: presentPerson(thread),
  last_message: thread.last_at && {
    sender_id: thread.last_sender ?? '',
    content: thread.last_content ?? '',
    created_at: thread.last_at.toISOString(),
    is_read:
      thread.last_seq <= (thread.last_sender === thread.user_id ? thread.read_seq : thread.their_read_seq),
    is_delivered: thread.last_sender === thread.user_id || thread.last_seq <= thread.their_delivered_seq,
    attachment_name: thread.last_attachment?.name ?? null,
  },
  unread_count: thread.unread,
});
