/** From facts of other services to notifications of people. */
import { authEvents } from '@karaar/contracts/auth/events';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc } from '@karaar/contracts/documents/rpc';
import { messagingEvents } from '@karaar/contracts/messaging/events';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { walletEvents } from '@karaar/contracts/wallet/events';
import type { EventData, RpcResponse } from '@karaar/contracts/kit';
import type { Envelope } from '@karaar/platform/bus';
import type { Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { beganNotifying, notify, notifyOfMany, type News } from './notifying.service.ts';
import { notificationsOf, WITH_DATE, WITH_REASON, type Planned } from './notifying.ts';

/** At up to a minute each: two days without the documents service lose no notification. */
const LOOK_UP_TRIES = 3_000;

type Facts = RpcResponse<typeof documentsRpc.noticeFacts>['document'];
type Paid = EventData<typeof paymentsEvents.paymentCompleted>;

export async function notifyingConsumers(ctx: Context): Promise<void> {
  const since = await beganNotifying(ctx);
  const isOld = (occurredAt: string) => new Date(occurredAt) < since;
  const sent = () => ctx.mail.poke();
  await documentsConsumers(ctx, isOld, sent);
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.expiring,
    handlerName: 'notify-expiring',
    maxDeliveries: LOOK_UP_TRIES,
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    lookUp: ({ data }) => factsOf(ctx, data.document_id, null, ''),
    handle: async ({ id, data }, tx, facts) => {
      if (!facts) return;
      const about = ofDocument(data.document_id, facts, null);
      const news = data.involved_users.map((userId): News => ({ ...about, userId, kind: 'expiring' }));
      await notify(ctx, tx, id, news);
      sent();
    },
  });
  await paymentsConsumers(ctx, isOld, sent);
  await ctx.bus.consume({
    db: ctx.db,
    event: walletEvents.card,
    handlerName: 'notify-top-up',
    concerns: ({ occurredAt, data }) =>
      !isOld(occurredAt) && data.type === 'top_up' && data.status !== 'pending',
    handle: async ({ id, data }, tx) => {
      const kind = data.status === 'completed' ? 'top_up_done' : 'top_up_failed';
      await notify(ctx, tx, id, [{ userId: data.user_id, kind, amountPaise: data.amount_paise }]);
      sent();
    },
  });
  for (const [handlerName, event, kind] of [
    ['notify-sign-in', authEvents.sessionOpened, 'new_sign_in'],
    ['notify-export', authEvents.dataExported, 'data_exported'],
  ] as const) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName,
      concerns: ({ occurredAt }) => !isOld(occurredAt),
      handle: async ({ id, data }, tx) => {
        await notify(ctx, tx, id, [{ userId: data.user_id, kind }]);
        sent();
      },
    });
  }
  await ctx.bus.consume({
    db: ctx.db,
    event: messagingEvents.leftUnread,
    handlerName: 'notify-unread',
    maxDeliveries: LOOK_UP_TRIES,
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    // The list has the sender's name from the directory.
    lookUp: ({ data }) => ctx.directory.findById(data.other_id),
    handle: async ({ id, data }, tx) => {
      await notify(ctx, tx, id, [{ userId: data.user_id, kind: 'unread_chat', actorId: data.other_id }]);
      sent();
    },
  });
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.passkeyChanged,
    handlerName: 'notify-passkey',
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    handle: async ({ id, data }, tx) => {
      await notify(ctx, tx, id, [{ userId: data.user_id, kind: `passkey_${data.action}` }]);
      sent();
    },
  });
  await ctx.bus.consume({
    db: ctx.db,
    event: authEvents.phoneChanged,
    handlerName: 'notify-phone',
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    handle: async ({ id, data }, tx) => {
      await notify(ctx, tx, id, [{ userId: data.user_id, kind: `phone_${data.action}` }]);
      sent();
    },
  });
}

async function paymentsConsumers(
  ctx: Context,
  isOld: (occurredAt: string) => boolean,
  sent: () => void,
): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.sharesChanged,
    handlerName: 'notify-shares',
    maxDeliveries: LOOK_UP_TRIES,
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    lookUp: ({ data }) => factsOf(ctx, data.document_id, data.set_by, ''),
    handle: async ({ id, data }, tx, facts) => {
      if (!facts) return;
      const news = data.shares
        .filter(({ user_id, amount_paise }) => user_id !== data.set_by && amount_paise > 0)
        .map(({ user_id, amount_paise }): News => {
          const about = ofDocument(data.document_id, facts, data.set_by);
          return { ...about, userId: user_id, kind: 'share_due', amountPaise: amount_paise };
        });
      await notify(ctx, tx, id, news);
      sent();
    },
  });
  const tellPaid = async (events: Envelope<Paid>[], tx: Tx<Database>, found: Facts[]) => {
    const facts = events.map(({ id, data }, at) => ({
      eventId: id,
      news: newsOfPayment(data, found[at] ?? null),
    }));
    await notifyOfMany(ctx, tx, facts);
    sent();
  };
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.paymentCompleted,
    handlerName: 'notify-paid',
    maxDeliveries: LOOK_UP_TRIES,
    concerns: ({ occurredAt }) => !isOld(occurredAt),
    lookUp: ({ data }) => factsOf(ctx, data.document_id, data.user_id, 'payment.completed'),
    handle: (event, tx, facts) => tellPaid([event], tx, [facts]),
    handleMany: tellPaid,
  });
}

/** The creator of a document is told of another party's payment. */
function newsOfPayment({ document_id, user_id, amount_paise }: Paid, facts: Facts): News[] {
  if (!facts || facts.primary_user === user_id) return [];
  const about = ofDocument(document_id, facts, user_id);
  return [{ ...about, userId: facts.primary_user, kind: 'paid', amountPaise: amount_paise }];
}

async function documentsConsumers(
  ctx: Context,
  isOld: (occurredAt: string) => boolean,
  sent: () => void,
): Promise<void> {
  for (const [handlerName, event] of [
    ['notify-changed', documentsEvents.changed],
    ['notify-finalized', documentsEvents.finalized],
  ] as const) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName,
      maxDeliveries: LOOK_UP_TRIES,
      concerns: ({ occurredAt, data }) => !isOld(occurredAt) && notificationsOf(data).length > 0,
      lookUp: async ({ data }) => {
        const { actor_id = null, change = '', subject_id = null } = data;
        return factsOf(ctx, data.document_id, actor_id, change, subject_id);
      },
      handle: async ({ id, data }, tx, facts) => {
        if (!facts) return;
        const news = notificationsOf(data).map((planned: Planned): News => ({
          ...planned,
          ...ofDocument(data.document_id, facts, data.actor_id ?? null),
          reason: WITH_REASON.has(planned.kind) ? facts.reason : null,
          answerBy: WITH_DATE.has(planned.kind) ? (facts.answer_by ?? null) : null,
        }));
        await notify(ctx, tx, id, news);
        sent();
      },
    });
  }
}

/**
 * The name of a document, which no event carries, why the actor did it, and by when the subject is asked to answer; null for
 * a document that is gone. Who the actor is, is known here from then on: the list has names from the directory.
 */
async function factsOf(
  ctx: Context,
  documentId: string,
  actorId: string | null,
  change: string,
  subjectId: string | null = null,
): Promise<Facts> {
  if (actorId !== null) await ctx.directory.findById(actorId);
  const request = { document_id: documentId, actor_id: actorId, change, subject_id: subjectId };
  return (await ctx.bus.request(documentsRpc.noticeFacts, request)).document;
}

const ofDocument = (documentId: string, facts: NonNullable<Facts>, actorId: string | null) => ({
  documentId,
  documentName: facts.name,
  ownerId: facts.primary_user,
  actorId,
});
