import { paymentsEvents } from '@karaar/contracts/payments/events';
import type { Envelope } from '@karaar/platform/bus';
import type { Context } from '../../context.ts';
import { recordPayments, type Completed } from './charge.service.ts';

const completed = ({ data, traceparent }: Envelope<Completed['payment']>): Completed => ({
  payment: data,
  traceparent,
});

/** Payments of a document become lines of its history. */
export async function paymentsConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.paymentCompleted,
    handlerName: 'documents-payment-completed',
    handle: (event, tx) => recordPayments(ctx, tx, [completed(event)]),
    handleMany: (events, tx) => recordPayments(ctx, tx, events.map(completed)),
  });
}
