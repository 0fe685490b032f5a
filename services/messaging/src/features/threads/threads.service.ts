import { isUuid } from '@karaar/db';
import { readPhone } from '@karaar/contracts/typed/read';
import type { Context } from '../../context.ts';
import { badCursor, userNotFound } from './threads.errors.ts';
import { countContactSearch } from './contact-searches.repository.ts';
import { advanceRead, listThreads, type ListedThread, type Pair } from './threads.repository.ts';
import { fromCursor, toCursor } from './threads.ts';

const PAGE = 30;

/** Returns the relation of two users, from the caller's view. Throws 404 for an unknown user. */
export async function requirePair(ctx: Context, viewerId: string, otherId: string): Promise<Pair> {
  if (!isUuid(otherId)) throw userNotFound();
  const query = { viewer: viewerId, other: otherId };
  const pair = await ctx.batched.findPair(query);
  if (pair) return pair;
  // If the local copy has no such user, the directory fetches the user from auth.
  if (!(await ctx.directory.findById(otherId))) throw userNotFound();
  const found = await ctx.batched.findPair(query);
  if (!found) throw userNotFound();
  return found;
}

/**
 * Returns a page of the chat list. Throws 400 for an invalid cursor, 429 above the limit of searches by a
 * whole contact.
 */
export async function listChats(
  ctx: Context,
  viewerId: string,
  page: { search?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<{ threads: ListedThread[]; nextCursor: string | null }> {
  const after = page.cursor ? fromCursor(page.cursor) : null;
  if (page.cursor && !after) throw badCursor();
  const limit = page.limit ?? PAGE;
  const search = page.search?.trim();
  if (search && (search.includes('@') || readPhone(search)))
    await countContactSearch(ctx.db, viewerId, ctx.config.CONTACT_SEARCHES_PER_HOUR);
  const threads = await listThreads(ctx.db, viewerId, { search, after, limit: limit + 1 });
  const more = threads.length > limit;
  const shown = threads.slice(0, limit);
  const last = shown.at(-1);
  // A document may name a user whose `auth.user.*` event has not arrived yet.
  for (const thread of shown.filter(({ char_id }) => char_id === ''))
    Object.assign(thread, await ctx.directory.findById(thread.user_id));
  return {
    threads: shown,
    nextCursor:
      more && last
        ? toCursor({ unread: last.unread > 0, active_at: last.active_at, other_id: last.user_id })
        : null,
  };
}

/**
 * Marks another user's messages as read and informs both. A block hides it from the other user.
 * @returns the user's number of unread messages in all chats
 */
export async function noteRead(ctx: Context, userId: string, pair: Pair, upToSeq: number): Promise<number> {
  const otherId = pair.user_id;
  const advanced = await advanceRead(ctx.db, { userId, otherId, upToSeq });
  const unread = await ctx.batched.countUnread(userId);
  if (advanced !== null) {
    ctx.live.send(userId, 'unread', { unread_count: unread });
    if (!pair.blocks && !pair.blocked)
      ctx.live.send(otherId, 'message.read', { reader_id: userId, up_to_seq: advanced });
  }
  return unread;
}

export const unreadCount = (ctx: Context, userId: string): Promise<number> => ctx.batched.countUnread(userId);
