/**
 * Writes notifications, their e-mails and the event with the unread count, in the transaction of the event.
 */
import {
  ALWAYS_SENT,
  type NotificationChannel,
  type NotificationKind,
} from '@karaar/contracts/notifications/kinds';
import { afterCommit, uuidv7, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { announceInboxes } from '../inbox/inbox.service.ts';
import { BATCHED, openLeader } from '../digests/digests.repository.ts';
import { afterQuietHours } from '../preferences/quiet-hours.ts';
import { quietHoursIn } from '../preferences/preferences.repository.ts';
import {
  beganAt,
  insertNotifications,
  queueDeliveries,
  recipientSettings,
  type NewDelivery,
  type RecipientSettings,
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
  replacedPaise?: number | null;
  answerBy?: string | null;
};

/** Sent during quiet hours too, because another person may be using the account. */
export const URGENT: ReadonlySet<NotificationKind> = new Set(['new_sign_in', ...ALWAYS_SENT]);

/** Returns the start of this service. Earlier events cause no notifications. */
export const beganNotifying = (ctx: Pick<Context, 'db'>): Promise<Date> => beganAt(ctx.db);

type Mail = News & RecipientSettings & { id: string };

/** Creates the notifications of events. An event that comes twice creates them once. */
export async function notifyOfMany(
  ctx: Pick<Context, 'config' | 'outbox' | 'mail'>,
  tx: Tx<Database>,
  events: readonly { eventId: string; news: readonly News[] }[],
): Promise<void> {
  // All transactions lock the users in the same order, which prevents deadlocks.
  const all = events
    .flatMap(({ eventId, news }) => news.map((one) => ({ ...one, eventId })))
    .sort((a, b) => a.userId.localeCompare(b.userId));
  if (all.length === 0) return;
  const settings = await recipientSettings(tx, all);
  const planned = all
    .map((one, at) => {
      // `settings` has one element per notification.
      const { off, ...rest } = settings[at] as RecipientSettings;
      const isOff = (channel: NotificationChannel) =>
        off.includes(channel) && !ALWAYS_SENT.includes(one.kind);
      const byMail = ctx.config.SMTP_HOST !== undefined && !isOff('email');
      return { ...one, ...rest, off, id: uuidv7(), byMail, inApp: !isOff('app') };
    })
    .filter(({ is_gone, byMail, inApp }) => !is_gone && (byMail || inApp));
  if (planned.length === 0) return;
  const stored = await insertNotifications(
    tx,
    planned.map((one) => ({
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
      replaced_paise: one.replacedPaise ?? null,
      answer_by: one.answerBy ?? null,
      in_app: one.inApp,
    })),
  );
  const fresh = planned.filter(({ id }) => stored.has(id));
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
  // A user who sends a reminder by hand wants it sent now. Only automatic reminders are batched.
  const isBatched = ({ kind, actorId }: Mail) =>
    BATCHED.has(kind) && (actorId ?? null) === null && ctx.config.REMINDERS_BATCH_MIN > 0;
  const deliveryOf = (mail: Mail, minutes: number): NewDelivery => {
    const quiet = URGENT.has(mail.kind) ? null : quietHoursIn(mail);
    const dueAt = afterQuietHours(new Date(Date.now() + minutes * 60_000), quiet);
    return { notificationId: mail.id, dueAt };
  };
  await queueDeliveries(
    tx,
    mails.filter((mail) => !isBatched(mail)).map((mail) => deliveryOf(mail, 0)),
  );
  // In sequence, because each may become the leader of the next.
  for (const mail of mails.filter(isBatched)) {
    const leaderId = await openLeader(tx, mail.userId, mail.kind);
    await queueDeliveries(tx, [{ ...deliveryOf(mail, ctx.config.REMINDERS_BATCH_MIN), leaderId }]);
  }
  afterCommit(() => ctx.mail.wake());
}
