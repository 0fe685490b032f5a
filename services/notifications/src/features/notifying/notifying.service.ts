/** Writes notifications, what is to be sent of them, and the fact that moves the bell: in the transaction of their cause. */
import {
  ALWAYS_TOLD,
  type NotificationChannel,
  type NotificationKind,
} from '@karaar/contracts/notifications/kinds';
import { afterCommit, uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { announceInboxes } from '../inbox/inbox.service.ts';
import { GATHERED, openLeader } from '../digests/digests.repository.ts';
import { afterQuietHours } from '../preferences/quiet-hours.ts';
import { quietHoursIn } from '../preferences/preferences.repository.ts';
import {
  beganAt,
  insertNotifications,
  queueDeliveries,
  wishesOf,
  type NewDelivery,
  type Wishes,
} from './notifying.repository.ts';

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

type Mail = News & Wishes & { id: string };

/** Creates the notifications of events; the same event a second time creates none. */
export async function notifyOfMany(
  ctx: Pick<Context, 'config' | 'outbox' | 'mail'>,
  tx: Tx<Database>,
  facts: readonly { eventId: string; news: readonly News[] }[],
): Promise<void> {
  // In one order, so that two transactions never wait for each other.
  const all = facts
    .flatMap(({ eventId, news }) => news.map((one) => ({ ...one, eventId })))
    .sort((a, b) => a.userId.localeCompare(b.userId));
  if (all.length === 0) return;
  const wishes = await wishesOf(tx, all);
  const wanted = all
    .map((one, at) => {
      // One for each.
      const { off, ...rest } = wishes[at] as Wishes;
      const isOff = (channel: NotificationChannel) =>
        off.includes(channel) && !ALWAYS_TOLD.includes(one.kind);
      const byMail = ctx.config.SMTP_HOST !== undefined && !isOff('email');
      return { ...one, ...rest, off, id: uuidv7(), byMail, inApp: !isOff('app') };
    })
    .filter(({ is_gone, byMail, inApp }) => !is_gone && (byMail || inApp));
  if (wanted.length === 0) return;
  const stored = await insertNotifications(
    tx,
    wanted.map((one) => ({
      id: one.id,
      user_id: one.userId,
      kind: one.kind,
      event_id: one.eventId,
      document_id: one.documentId ?? null,
      document_name: one.documentName ?? null,
      owner_id: one.ownerId ?? null,
      actor_id: one.actorId ?? null,
      reason: one.reason ?? null,
      amount_paise: one.amountPaise ?? null,
      answer_by: one.answerBy ?? null,
      in_app: one.inApp,
    })),
  );
  const fresh = wanted.filter(({ id }) => stored.has(id));
  await queueMails(
    ctx,
    tx,
    fresh.filter(({ byMail }) => byMail),
  );
  const inApp = fresh.filter((one) => one.inApp).map(({ userId }) => userId);
  await announceInboxes(ctx, tx, [...new Set(inApp)]);
}

async function queueMails(
  ctx: Pick<Context, 'config' | 'mail'>,
  tx: Tx<Database>,
  mails: readonly Mail[],
): Promise<void> {
  if (mails.length === 0) return;
  // A reminder by hand is wanted now: only those that Karaar sends by itself wait for each other.
  const isGathered = ({ kind, actorId }: Mail) =>
    GATHERED.has(kind) && (actorId ?? null) === null && ctx.config.REMINDERS_GATHER_MIN > 0;
  const deliveryOf = (mail: Mail, minutes: number): NewDelivery => {
    const quiet = URGENT.has(mail.kind) ? null : quietHoursIn(mail);
    const dueAt = afterQuietHours(new Date(Date.now() + minutes * 60_000), quiet);
    return { notificationId: mail.id, dueAt };
  };
  await queueDeliveries(
    tx,
    mails.filter((mail) => !isGathered(mail)).map((mail) => deliveryOf(mail, 0)),
  );
  // One after the other, since each may lead the next.
  for (const mail of mails.filter(isGathered)) {
    const leaderId = await openLeader(tx, mail.userId, mail.kind);
    await queueDeliveries(tx, [{ ...deliveryOf(mail, ctx.config.REMINDERS_GATHER_MIN), leaderId }]);
  }
  afterCommit(() => ctx.mail.poke());
}
