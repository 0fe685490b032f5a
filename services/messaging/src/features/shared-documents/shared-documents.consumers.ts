import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { noteParties } from './shared-documents.service.ts';

/** Follows who shares which document: an invitation alone is no acquaintance. */
export async function sharedDocumentsConsumers(ctx: Context): Promise<void> {
  for (const event of [documentsEvents.created, documentsEvents.changed, documentsEvents.finalized]) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName: `shared-${event.type.split('.').at(-1)}`,
      handle: ({ data, aggregateVersion, occurredAt }, tx) =>
        noteParties(tx, {
          id: data.document_id,
          people: [data.primary_user, ...(data.acquainted_users ?? [])],
          version: aggregateVersion,
          at: new Date(occurredAt),
        }),
    });
  }
}
