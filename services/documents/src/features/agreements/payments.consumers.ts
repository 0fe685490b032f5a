import { paymentsEvents } from '@karaar/contracts/payments/events';
import type { Context } from '../../context.ts';
import { recordPayment } from './charge.service.ts';

/** Payments of a document become lines of its history. */
export async function paymentsConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.paymentCompleted,
    handlerName: 'documents-payment-completed',
    handle: (envelope, tx) => recordPayment(ctx, tx, envelope.data),
  });
}
