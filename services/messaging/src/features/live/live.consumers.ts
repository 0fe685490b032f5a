import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { NEWS_MS } from './live.ts';

/** Tells everybody whose document has changed, at once. */
export async function liveConsumers(ctx: Context): Promise<void> {
  for (const [handlerName, event] of [
    ['tell-document-created', documentsEvents.created],
    ['tell-document-changed', documentsEvents.changed],
    ['tell-document-finalized', documentsEvents.finalized],
  ] as const) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName,
      handle: async ({ occurredAt, aggregateVersion, data }) => {
        if (Date.now() - Date.parse(occurredAt) > NEWS_MS) return;
        const { document_id, status } = data;
        for (const userId of new Set([...data.involved_users, ...(data.affected_users ?? [])]))
          ctx.live.tell(userId, 'document.changed', { document_id, status, version: aggregateVersion });
      },
    });
  }
}
