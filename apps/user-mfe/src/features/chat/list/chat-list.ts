/** The loaded pages of the chat list, and how updates join them. */
import type { Conversation } from '@karaar/contracts/messaging/http';

export type ListPage = { items: Conversation[]; next_cursor: string | null };

/**
 * Removes duplicates: a chat that moved up between two page requests is in both pages, and the newer position
 * counts.
 */
export function unique(chats: readonly Conversation[]): Conversation[] {
  const seen = new Set<string>();
  return chats.filter(({ user }) => !seen.has(user.user_id) && seen.add(user.user_id));
}

/**
 * Puts a new first page over the known pages after a message arrived. Chats that moved down stay below it;
 * {@link unique} removes the old copy of those that moved up.
 */
export function withTop<P extends { pages: ListPage[] }>(known: P, fresh: ListPage): P {
  const [first, ...rest] = known.pages;
  if (!first || rest.length === 0) return { ...known, pages: [fresh] };
  const top = new Set(fresh.items.map(({ user }) => user.user_id));
  const pushed = first.items.filter(({ user }) => !top.has(user.user_id));
  const joined = { items: [...fresh.items, ...pushed], next_cursor: first.next_cursor };
  return { ...known, pages: [joined, ...rest] };
}
