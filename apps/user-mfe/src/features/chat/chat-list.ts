/** The pages of the chat list that are known, and how news joins them. */
import type { Conversation } from '@karaar/contracts/messaging/http';

export type ListPage = { items: Conversation[]; next_cursor: string | null };

/** Somebody who moved up between two pages stands in both; the newer place counts. */
export function unique(chats: readonly Conversation[]): Conversation[] {
  const seen = new Set<string>();
  return chats.filter(({ user }) => !seen.has(user.user_id) && seen.add(user.user_id));
}

/**
 * Puts a fresh first page over the known ones, after somebody has written. Whom it pushed down stays, below it; whom it
 * brought up is not seen twice by {@link unique}.
 */
export function withTop<P extends { pages: ListPage[] }>(known: P, fresh: ListPage): P {
  const [first, ...rest] = known.pages;
  if (!first || rest.length === 0) return { ...known, pages: [fresh] };
  const top = new Set(fresh.items.map(({ user }) => user.user_id));
  const pushed = first.items.filter(({ user }) => !top.has(user.user_id));
  const joined = { items: [...fresh.items, ...pushed], next_cursor: first.next_cursor };
  return { ...known, pages: [joined, ...rest] };
}
