import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { reportFlood } from './safety.service.ts';

/** Puts in front of the admins who invites more people than one may. */
export async function safetyConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.invitationsFlooded,
    handlerName: 'report-flood',
    handle: ({ data }, tx) => reportFlood(tx, data),
  });
}
