/**
 * Writes notifications, their messages, and the event with the unread count, in the transaction of the event.
 */
import {
  hasChannel,
  isWanted,
  type NotificationChannel,
  type NotificationKind,
} from '@karaar/contracts/notifications/kinds';
import { afterCommit, uuidv7, type Tx } from '@karaar/db';
import { channelsIn, chosenIn } from '../preferences/offered.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { announceInboxes } from '../inbox/inbox.service.ts';
import { BATCHED, openLeader } from '../digests/digests.repository.ts';
import type { Channel } from '../deliveries/deliveries.repository.ts';
import { dueFrom } from '../deliveries/still-due.ts';
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

/** Returns the start of this service. Earlier events cause no notifications. */
export const beganNotifying = (ctx: Pick<Context, 'db'>): Promise<Date> => beganAt(ctx.db);

type Message = News & RecipientSettings & { id: string; channel: Channel };

/** Creates the notifications of events. An event that comes twice creates them once. */
export async function notifyOfMany(
  ctx: Pick<Context, 'config' | 'outbox' | 'senders'>,
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
      const recipient = settings[at] as RecipientSettings;
      return { ...one, ...recipient, id: uuidv7(), channels: channelsOf(ctx, one.kind, recipient) };
    })
    .filter(({ is_gone, channels }) => !is_gone && channels.length > 0);
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
      in_app: one.channels.includes('app'),
    })),
  );
  const fresh = planned.filter(({ id }) => stored.has(id));
  await queueMessages(
    ctx,
    tx,
    fresh.flatMap((one) =>
      one.channels.flatMap((channel) => (channel === 'app' ? [] : [{ ...one, channel }])),
    ),
  );
  const inApp = fresh.filter(({ channels }) => channels.includes('app')).map(({ userId }) => userId);
  await announceInboxes(ctx, tx, [...new Set(inApp)]);
}

const channelsOf = (
  { config }: Pick<Context, 'config'>,
  kind: NotificationKind,
  { chosen }: RecipientSettings,
): NotificationChannel[] =>
  channelsIn(config).filter(
    (channel) =>
      hasChannel(kind, channel) &&
      (channel !== 'email' || config.SMTP_HOST !== undefined) &&
      isWanted(kind, channel, chosenIn(config, chosen)),
  );

async function queueMessages(
  ctx: Pick<Context, 'config' | 'senders'>,
  tx: Tx<Database>,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return;
  // A user who sends a reminder by hand wants it sent now. Only automatic reminders are batched.
  const isBatched = ({ kind, actorId }: Message) =>
    BATCHED.has(kind) && (actorId ?? null) === null && ctx.config.REMINDERS_BATCH_MIN > 0;
  const deliveryOf = (message: Message, minutes: number): NewDelivery => {
    const { id, channel } = message;
    const dueAt = dueFrom(new Date(Date.now() + minutes * 60_000), message, channel, ctx.config);
    return { notificationId: id, channel, dueAt };
  };
  await queueDeliveries(
    tx,
    messages.filter((one) => !isBatched(one)).map((one) => deliveryOf(one, 0)),
  );
  // In sequence, because each may become the leader of the next.
  for (const one of messages.filter(isBatched)) {
    const leaderId = await openLeader(tx, one.userId, one.kind);
    await queueDeliveries(tx, [{ ...deliveryOf(one, ctx.config.REMINDERS_BATCH_MIN), leaderId }]);
  }
  afterCommit(() => ctx.senders.wake());
}
