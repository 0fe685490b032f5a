/** What a page knows of a conversation, and how news joins it: in order, without gaps or doubles. */
import type { Message } from '@karaar/contracts/messaging/http';

export type ThreadState = {
  /** By place, each place once, without a gap. */
  messages: readonly Message[];
  /** Names the newest page as the server last showed it. */
  etag: string | null;
};

export const EMPTY: ThreadState = { messages: [], etag: null };

/** The place of the newest message that is known; 0 for none. */
export const lastSeq = ({ messages }: ThreadState): number => messages.at(-1)?.seq ?? 0;

/** Whether there may be older messages than those that are known. */
export const hasOlder = ({ messages }: ThreadState): boolean => (messages[0]?.seq ?? 1) > 1;

/**
 * A mark once set stays, whichever of two answers came late. The known one when there is nothing new to it: only its marks,
 * the links to its file and (for a deleted account) its content ever change.
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

/** Whether a page joins what is known without a gap between them. */
export function joins(state: ThreadState, page: readonly Message[]): boolean {
  const [first, last] = [page[0], page.at(-1)];
  const oldest = state.messages[0];
  if (!first || !last || !oldest) return true;
  return first.seq <= lastSeq(state) + 1 && last.seq >= oldest.seq - 1;
}

/**
 * Adds messages of one conversation. A page that would leave a gap is taken alone when it is newer (what is between
 * can be paged backwards to), and dropped when it is older.
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

/** Marks the messages of one sender up to a place. */
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

/** The newest message of the other side that is not read; null when there is none. */
export function newestUnread({ messages }: ThreadState, me: string): Message | null {
  return messages.findLast((message) => message.sender_id !== me && !message.is_read) ?? null;
}
