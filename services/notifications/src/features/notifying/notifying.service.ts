/** Writes notifications, what is to be sent of them, and the fact that moves the bell: in the transaction of their cause. */
import { notificationsEvents } from '@karaar/contracts/notifications/events';
import { ALWAYS_TOLD, type NotificationKind } from '@karaar/contracts/notifications/kinds';
import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { countUnread, nextVersion } from '../inbox/inbox.repository.ts';
import { GATHERED, openLeader } from '../digests/digests.repository.ts';
import { afterQuietHours } from '../preferences/quiet-hours.ts';
import { quietHoursOf, unwanted } from '../preferences/preferences.repository.ts';
import { beganAt, insertNotification, isGone, queueDelivery } from './notifying.repository.ts';

export type News = {
  userId: string;
  kind: NotificationKind;
  documentId?: string | null;
  documentName?: string | null;
  ownerId?: string | null;
  actorId?: string | null;
  reason?: string | null;
  amountPaise?: number | null;
  /** The day by which the user is asked to answer. */
  answerBy?: string | null;
};

/** Not put off until the morning: whoever it was may be reading along right now. */
export const URGENT: ReadonlySet<NotificationKind> = new Set(['new_sign_in', ...ALWAYS_TOLD]);

/** When this service began: facts from before it are not told any more. */
export const beganNotifying = (ctx: Pick<Context, 'db'>): Promise<Date> => beganAt(ctx.db);

/** Creates the notifications of an event; the same event a second time creates none. */
export const notify = (
  ctx: Pick<Context, 'config' | 'outbox'>,
  tx: Tx<Database>,
  eventId: string,
  news: readonly News[],
): Promise<void> => notifyOfMany(ctx, tx, [{ eventId, news }]);

/** Creates the notifications of several events, as `notify` does for each. */
export async function notifyOfMany(
  ctx: Pick<Context, 'config' | 'outbox'>,
  tx: Tx<Database>,
  facts: readonly { eventId: string; news: readonly News[] }[],
): Promise<void> {
  const all = facts.flatMap(({ eventId, news }) => news.map((one) => ({ eventId, one })));
  // In one order, so that two transactions never wait for each other.
  for (const { eventId, one } of all.sort((a, b) => a.one.userId.localeCompare(b.one.userId)))
    await notifyOne(ctx, tx, eventId, one);
}

async function notifyOne(
  ctx: Pick<Context, 'config' | 'outbox'>,
  tx: Tx<Database>,
  eventId: string,
  news: News,
): Promise<void> {
  const { userId, kind } = news;
  if (await isGone(tx, userId)) return;
  const off = await unwanted(tx, userId, kind);
  const byMail = ctx.config.SMTP_HOST !== undefined && !off.has('email');
  const inApp = !off.has('app');
  if (!byMail && !inApp) return;
  const id = uuidv7();
  const isNew = await insertNotification(tx, {
    id,
    user_id: userId,
    kind,
    event_id: eventId,
    document_id: news.documentId ?? null,
    document_name: news.documentName ?? null,
    owner_id: news.ownerId ?? null,
    actor_id: news.actorId ?? null,
    reason: news.reason ?? null,
    amount_paise: news.amountPaise ?? null,
    answer_by: news.answerBy ?? null,
    in_app: inApp,
  });
  if (!isNew) return;
  if (byMail) {
    const quiet = URGENT.has(kind) ? null : await quietHoursOf(tx, userId);
    // A reminder by hand is wanted now: only those that Karaar sends by itself wait for each other.
    const byItself = (news.actorId ?? null) === null;
    const minutes = GATHERED.has(kind) && byItself ? ctx.config.REMINDERS_GATHER_MIN : 0;
    const dueAt = afterQuietHours(new Date(Date.now() + minutes * 60_000), quiet);
    await queueDelivery(tx, id, dueAt, minutes > 0 ? await openLeader(tx, userId, kind) : undefined);
  }
  if (inApp) await announceInbox(ctx, tx, userId);
}

/** Says how many notifications a user has not read now. */
export async function announceInbox(
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  userId: string,
): Promise<number> {
  const version = await nextVersion(tx, userId);
  const unread = await countUnread(tx, userId);
  await ctx.outbox.add(tx, notificationsEvents.inboxChanged, {
    aggregateId: userId,
    aggregateVersion: version,
    data: { user_id: userId, unread_count: unread },
  });
  return unread;
}
