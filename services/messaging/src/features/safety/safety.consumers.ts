import { documentsEvents } from '@karaar/contracts/documents/events';
import type { Context } from '../../context.ts';
import { reportFlood } from './safety.service.ts';

/** Reports users who reach the limit of invitations to the admins. */
export async function safetyConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: documentsEvents.invitationsFlooded,
    handlerName: 'report-flood',
    handle: ({ data }, tx) => reportFlood(tx, data),
  });
}
