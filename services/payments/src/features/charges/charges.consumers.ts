import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { forgetShares } from './stopping.service.ts';

const ENDING: readonly (string | undefined)[] = ['party.withdrawn', 'document.cancelled', 'document.lapsed'];

/** Removes a distribution when a party leaves the document, or when it is cancelled. */
export async function chargesConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.changed,
    handlerName: 'forget-shares',
    handle: async ({ data, aggregateVersion }, tx) => {
      if (!ENDING.includes(data.change)) return;
      await forgetShares(ctx, tx, { documentId: data.document_id, version: aggregateVersion });
    },
  });
}
