/** The pages of the chat list that are known, and how news joins them. */
import type { Conversation } from '@karaar/contracts/messaging/http';

export type ListPage = { items: Conversation[]; next_cursor: string | null };

/** A chat that moved up between two page requests is in both pages; the newer place counts. */
export function unique(chats: readonly Conversation[]): Conversation[] {
  const seen = new Set<string>();
  return chats.filter(({ user }) => !seen.has(user.user_id) && seen.add(user.user_id));
}

/**
 * Puts a fresh first page over the known pages, after a message has come. Chats that it pushed down stay below it;
 * {@link unique} removes the second copy of those that moved up.
 */
export function withTop<P extends { pages: ListPage[] }>(known: P, fresh: ListPage): P {
  const [first, ...rest] = known.pages;
  if (!first || rest.length === 0) return { ...known, pages: [fresh] };
  const top = new Set(fresh.items.map(({ user }) => user.user_id));
  const pushed = first.items.filter(({ user }) => !top.has(user.user_id));
  const joined = { items: [...fresh.items, ...pushed], next_cursor: first.next_cursor };
  return { ...known, pages: [joined, ...rest] };
}
