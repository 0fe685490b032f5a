import { notificationsEvents } from '@karaar/contracts/notifications/events';
import { inTransaction, type Tx } from '@karaar/db';
import { notFound } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import type { Database, Db } from '../../db/schema.ts';
import {
  countUnread,
  listedOf,
  markRead,
  markReadUpTo,
  nextVersions,
  type ListedRow,
} from './inbox.repository.ts';

const PAGE = 30;

/** Returns one page, newest first, and the total number of unread notifications. */
export async function listInbox(
  ctx: Pick<Context, 'db'>,
  userId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ rows: ListedRow[]; unread: number; nextCursor: string | null }> {
  const limit = page.limit ?? PAGE;
  const rows = await listedOf(ctx.db, userId, { before: page.cursor, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    rows: shown,
    unread: await unreadOf(ctx, userId),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

export async function unreadOf({ db }: { db: Db }, userId: string): Promise<number> {
  const [unread = 0] = await countUnread(db, [userId]);
  return unread;
}

async function announceInbox(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  userId: string,
): Promise<number> {
  const [unread = 0] = await announceInboxes(ctx, tx, [userId]);
  return unread;
}

/**
 * Marks all notifications up to one as read, and returns how many are left unread. An event updates the
 * user's other open pages.
 */
export async function readUpTo(
  ctx: Pick<Context, 'db' | 'outbox'>,
  userId: string,
  upTo: string,
): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const marked = await markReadUpTo(tx, userId, upTo);
    return marked > 0 ? announceInbox(ctx, tx, userId) : unreadOf({ db: tx }, userId);
  });
}

/**
 * Marks one notification as read, and returns how many are left unread. Throws 404 for an unknown one and for
 * another user's.
 */
export async function readOne(
  ctx: Pick<Context, 'db' | 'outbox'>,
  userId: string,
  id: string,
): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const outcome = await markRead(tx, userId, id);
    if (outcome === 'unknown') throw notFound('notification_not_found', 'This notification does not exist.');
    return outcome === 'marked' ? announceInbox(ctx, tx, userId) : unreadOf({ db: tx }, userId);
  });
}

/**
 * Publishes the number of unread notifications of each user, and returns the numbers in the order of
 * `userIds`.
 */
export async function announceInboxes(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  userIds: readonly string[],
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const versions = await nextVersions(tx, userIds);
  // This must be a second statement: only then does it see the rows of the transactions that held the
  // versions before.
  const unread = await countUnread(tx, userIds);
  await ctx.outbox.addAll(
    tx,
    notificationsEvents.inboxChanged,
    // `versions` and `unread` have one element per user.
    userIds.map((userId, at) => ({
      aggregateId: userId,
      aggregateVersion: versions[at] as number,
      data: { user_id: userId, unread_count: unread[at] as number },
    })),
  );
  return unread;
}
