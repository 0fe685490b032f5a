import { walletEvents } from '@karaar/contracts/wallet/events';
import type { Context } from '../../context.ts';
import { noteCardMovement } from './admin.service.ts';

/** Stores card top-ups and refunds, which the admins' list shows next to wallet payments. */
export async function cardsConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: walletEvents.card,
    handlerName: 'card-movements',
    handle: ({ data, aggregateVersion }, tx) => noteCardMovement(tx, data, aggregateVersion),
  });
}
