import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { noteSharedDocument } from './directory.service.ts';

export async function directoryConsumers(ctx: Context): Promise<void> {
  for (const event of [documentsEvents.created, documentsEvents.changed, documentsEvents.finalized]) {
    await ctx.bus.consume({
      db: ctx.db,
      event,
      handlerName: `shared-${event.type.split('.').at(-1)}`,
      handle: ({ data, aggregateVersion }, tx) =>
        noteSharedDocument(tx, { ...data, version: aggregateVersion }),
    });
  }
}
