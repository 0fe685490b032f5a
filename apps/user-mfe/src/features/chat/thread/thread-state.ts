/** The loaded part of a conversation, and how updates join it: in order, without gaps or duplicates. */
import type { Message } from '@karaar/contracts/messaging/http';

export type ThreadState = {
  /** By position, each once, without a gap. */
  messages: readonly Message[];
  etag: string | null;
};

export const EMPTY: ThreadState = { messages: [], etag: null };

/** Returns the position of the newest loaded message; 0 for none. */
export const lastSeq = ({ messages }: ThreadState): number => messages.at(-1)?.seq ?? 0;

/** Returns true if there may be older messages than the loaded ones. */
export const hasOlder = ({ messages }: ThreadState): boolean => (messages[0]?.seq ?? 1) > 1;

/**
 * Merges two copies of a message. A set mark stays, because responses may arrive out of order. Only marks,
 * file links and (for a deleted account) the content can change; returns the known object if nothing did.
 */
function joined(known: Message, fresh: Message): Message {
  const is_read = known.is_read || fresh.is_read;
  const is_delivered = known.is_delivered || fresh.is_delivered;
  const isKnown =
    known.is_read === is_read &&
    known.is_delivered === is_delivered &&
    known.content === fresh.content &&
    known.attachment?.path === fresh.attachment?.path;
  return isKnown ? known : { ...fresh, is_read, is_delivered };
}

/** Returns true if a page joins the loaded messages without a gap. */
export function joins(state: ThreadState, page: readonly Message[]): boolean {
  const [first, last] = [page[0], page.at(-1)];
  const oldest = state.messages[0];
  if (!first || !last || !oldest) return true;
  return first.seq <= lastSeq(state) + 1 && last.seq >= oldest.seq - 1;
}

/**
 * Adds messages of one conversation. A page with a gap replaces the others if it is newer (paging back loads
 * the rest), and is dropped if it is older.
 */
export function merge(state: ThreadState, page: readonly Message[]): ThreadState {
  if (page.length === 0) return state;
  if (!joins(state, page)) return (page[0]?.seq ?? 0) > lastSeq(state) ? { ...state, messages: page } : state;
  const bySeq = new Map(state.messages.map((message) => [message.seq, message]));
  for (const message of page) {
    const known = bySeq.get(message.seq);
    bySeq.set(message.seq, known ? joined(known, message) : message);
  }
  return { ...state, messages: [...bySeq.values()].sort((a, b) => a.seq - b.seq) };
}

/** Marks the messages of one sender up to a position. */
export function mark(
  state: ThreadState,
  senderId: string,
  upToSeq: number,
  marks: Partial<Pick<Message, 'is_read' | 'is_delivered'>>,
): ThreadState {
  let changed = false;
  const messages = state.messages.map((message) => {
    const news = Object.entries(marks).some(([name, value]) => message[name as keyof typeof marks] !== value);
    if (message.sender_id !== senderId || message.seq > upToSeq || !news) return message;
    changed = true;
    return { ...message, ...marks };
  });
  return changed ? { ...state, messages } : state;
}

/** Returns the newest unread message of the other user; null if the user has read all. */
export function newestUnread({ messages }: ThreadState, me: string): Message | null {
  return messages.findLast((message) => message.sender_id !== me && !message.is_read) ?? null;
}
