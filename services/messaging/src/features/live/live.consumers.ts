import { documentsEvents } from '@karaar/contracts/documents/events';
import { notificationsEvents } from '@karaar/contracts/notifications/events';
import type { Context } from '../../context.ts';
import { NEWS_MS } from './live.ts';

const isNews = (occurredAt: string): boolean => Date.now() - Date.parse(occurredAt) <= NEWS_MS;

/**
 * Sends changes of documents, their finalization and notifications to the open pages of the users involved.
 */
export async function liveConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.finalizationProgressed,
    handlerName: 'tell-finalization-progressed',
    observe: ({ occurredAt, data: { document_id, involved_users, progress } }) => {
      if (!isNews(occurredAt)) return;
      for (const userId of involved_users)
        ctx.live.send(userId, 'document.progress', { document_id, progress });
    },
  });
  await ctx.bus.consume({
    db: ctx.db,
    event: notificationsEvents.inboxChanged,
    handlerName: 'tell-notifications',
    observe: ({ occurredAt, data: { user_id, unread_count } }) => {
      if (isNews(occurredAt)) ctx.live.send(user_id, 'notifications', { unread_count });
    },
  });
  for (const [handlerName, event] of [
    ['tell-document-created', documentsEvents.created],
    ['tell-document-changed', documentsEvents.changed],
    ['tell-payment-recorded', documentsEvents.paymentRecorded],
    ['tell-document-finalized', documentsEvents.finalized],
  ] as const) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName,
      observe: ({ occurredAt, aggregateVersion, data }) => {
        if (!isNews(occurredAt)) return;
        const { document_id, status } = data;
        for (const userId of new Set([...data.involved_users, ...(data.affected_users ?? [])]))
          ctx.live.send(userId, 'document.changed', { document_id, status, version: aggregateVersion });
      },
    });
  }
}
