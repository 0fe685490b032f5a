import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { noteParties } from './shared-documents.service.ts';

/**
 * Keeps the list of users who share a document. Being invited is not sharing: two users share a document once
 * both have joined by an act of their own.
 */
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
