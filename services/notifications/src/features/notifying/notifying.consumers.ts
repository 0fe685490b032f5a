import { authEvents } from '@karaar/contracts/auth/events';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { messagingEvents } from '@karaar/contracts/messaging/events';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { walletEvents } from '@karaar/contracts/wallet/events';
import type { EventContract, EventData, RpcResponse } from '@karaar/contracts/kit';
import type { Envelope } from '@karaar/bus';
import type { Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { beganNotifying, notifyOfMany, type News } from './notifying.service.ts';
import { notificationsOf, WITH_DATE, WITH_REASON } from './notifying.ts';

/**
 * With at most a minute between attempts, no notification is lost if the documents service is down for two
 * days.
 */
const LOOK_UP_TRIES = 3_000;

type Details = RpcResponse<typeof documentsRpc.notificationDetails>['document'];

type NewsSource<E extends EventContract, Found> = {
  event: E;
  handlerName: string;
  /** If absent, every event concerns the handler. */
  concerns?: (data: EventData<E>) => boolean;
  lookUp?: (data: EventData<E>) => Promise<Found>;
  newsOf: (data: EventData<E>, found: Found) => News[];
};
type Consume = <E extends EventContract, Found = undefined>(source: NewsSource<E, Found>) => Promise<void>;

export async function notifyingConsumers(ctx: Context): Promise<void> {
  const since = await beganNotifying(ctx);
  const consume: Consume = async <E extends EventContract, Found>(source: NewsSource<E, Found>) => {
    const { event, handlerName, concerns, lookUp, newsOf } = source;
    const handleMany = (events: Envelope<EventData<E>>[], tx: Tx<Database>, found: Found[]) =>
      notifyOfMany(
        ctx,
        tx,
        // `found` has one element per event.
        events.map(({ id, data }, at) => ({ eventId: id, news: newsOf(data, found[at] as Found) })),
      );
    await ctx.bus.consume<Database, E, Found>({
      db: ctx.db,
      event,
      handlerName,
      concerns: ({ occurredAt, data }) => new Date(occurredAt) >= since && (concerns?.(data) ?? true),
      ...(lookUp ? { maxDeliveries: LOOK_UP_TRIES, lookUp: ({ data }) => lookUp(data) } : {}),
      handle: (one, tx, found) => handleMany([one], tx, [found]),
      handleMany,
    });
  };
  await documentsConsumers(ctx, consume);
  await moneyConsumers(ctx, consume);
  await accountConsumers(ctx, consume);
}

async function documentsConsumers(ctx: Context, consume: Consume): Promise<void> {
  for (const [handlerName, event] of [
    ['notify-changed', documentsEvents.changed],
    ['notify-finalized', documentsEvents.finalized],
  ] as const) {
    await consume({
      event,
      handlerName,
      concerns: (data) => notificationsOf(data).length > 0,
      lookUp: ({ document_id, actor_id = null, change = '', subject_id = null }) =>
        detailsOf(ctx, document_id, actor_id, change, subject_id),
      newsOf: (data, details: Details) =>
        details
          ? notificationsOf(data).map((planned) => ({
              ...planned,
              ...ofDocument(data.document_id, details, data.actor_id ?? null),
              reason: WITH_REASON.has(planned.kind) ? details.reason : null,
              answerBy: WITH_DATE.has(planned.kind) ? (details.answer_by ?? null) : null,
            }))
          : [],
    });
  }
  await consume({
    event: documentsEvents.expiring,
    handlerName: 'notify-expiring',
    lookUp: ({ document_id }) => detailsOf(ctx, document_id, null, ''),
    newsOf: ({ document_id, involved_users }, details: Details) =>
      details
        ? involved_users.map((userId) => ({
            ...ofDocument(document_id, details, null),
            userId,
            kind: 'expiring',
          }))
        : [],
  });
}

async function moneyConsumers(ctx: Context, consume: Consume): Promise<void> {
  await consume({
    event: paymentsEvents.sharesChanged,
    handlerName: 'notify-shares',
    lookUp: ({ document_id, set_by }) => detailsOf(ctx, document_id, set_by, ''),
    newsOf: ({ document_id, set_by, shares }, details: Details) =>
      details
        ? shares
            .filter(
              ({ user_id, amount_paise, replaced_paise = 0 }) =>
                user_id !== set_by && amount_paise !== replaced_paise,
            )
            .map(({ user_id, amount_paise, replaced_paise = 0 }) => ({
              ...ofDocument(document_id, details, set_by),
              userId: user_id,
              kind: 'share_due',
              amountPaise: amount_paise,
              ...(replaced_paise > 0 ? { replacedPaise: replaced_paise } : {}),
            }))
        : [],
  });
  await consume({
    event: paymentsEvents.paymentCompleted,
    handlerName: 'notify-paid',
    lookUp: ({ document_id, user_id }) => detailsOf(ctx, document_id, user_id, 'payment.completed'),
    newsOf: ({ document_id, user_id, amount_paise }, details: Details) => {
      if (!details || details.primary_user === user_id) return [];
      const about = ofDocument(document_id, details, user_id);
      return [{ ...about, userId: details.primary_user, kind: 'paid', amountPaise: amount_paise }];
    },
  });
  await consume({
    event: paymentsEvents.paymentReversed,
    handlerName: 'notify-reversed',
    lookUp: ({ document_id }) => detailsOf(ctx, document_id, null, 'payment.reversed'),
    newsOf: ({ document_id, user_id, amount_paise }, details: Details) =>
      details
        ? [...new Set([user_id, details.primary_user])].map((userId) => ({
            ...ofDocument(document_id, details, null),
            userId,
            kind: 'payment_reversed',
            amountPaise: amount_paise,
          }))
        : [],
  });
  await consume({
    event: walletEvents.card,
    handlerName: 'notify-top-up',
    concerns: ({ type, status }) => type === 'top_up' && status !== 'pending',
    newsOf: ({ user_id, amount_paise, status }) => {
      const kind = status === 'completed' ? 'top_up_done' : 'top_up_failed';
      return [{ userId: user_id, kind, amountPaise: amount_paise }];
    },
  });
}

async function accountConsumers(ctx: Context, consume: Consume): Promise<void> {
  for (const [handlerName, event, kind] of [
    ['notify-sign-in', authEvents.sessionOpened, 'new_sign_in'],
    ['notify-export', authEvents.dataExported, 'data_exported'],
  ] as const)
    await consume({ event, handlerName, newsOf: ({ user_id }) => [{ userId: user_id, kind }] });
  await consume({
    event: messagingEvents.leftUnread,
    handlerName: 'notify-unread',
    // The list takes the sender's name from the directory.
    lookUp: ({ other_id }) => ctx.directory.findById(other_id),
    newsOf: ({ user_id, other_id }) => [{ userId: user_id, kind: 'unread_chat', actorId: other_id }],
  });
  await consume({
    event: documentsEvents.passkeyChanged,
    handlerName: 'notify-passkey',
    newsOf: ({ user_id, action }) => [{ userId: user_id, kind: `passkey_${action}` }],
  });
  await consume({
    event: authEvents.phoneChanged,
    handlerName: 'notify-phone',
    newsOf: ({ user_id, action }) => [{ userId: user_id, kind: `phone_${action}` }],
  });
}

/**
 * Returns the document's name, the actor's reason and the day to answer by, which the event does not have.
 * Null if the document was deleted. It also loads the actor into the directory, from which the list takes
 * names.
 */
async function detailsOf(
  ctx: Context,
  documentId: string,
  actorId: string | null,
  change: string,
  subjectId: string | null = null,
): Promise<Details> {
  if (actorId !== null) await ctx.directory.findById(actorId);
  const request = { document_id: documentId, actor_id: actorId, change, subject_id: subjectId };
  return (await ctx.bus.request(documentsRpc.notificationDetails, request)).document;
}

const ofDocument = (documentId: string, details: NonNullable<Details>, actorId: string | null) => ({
  documentId,
  documentName: details.name,
  ownerId: details.primary_user,
  actorId,
});
