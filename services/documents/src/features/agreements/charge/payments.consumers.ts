import type { EventData } from '@karaar/contracts/kit';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import type { Envelope } from '@karaar/bus';
import type { Context } from '../../../context.ts';
import { recordPayments, type PaymentEvent } from './charge.service.ts';

type Data<Name extends keyof typeof paymentsEvents> = EventData<(typeof paymentsEvents)[Name]>;

const completed = ({ data, traceparent }: Envelope<Data<'paymentCompleted'>>): PaymentEvent => ({
  change: 'payment.completed',
  payment: data,
  paid: data.document_paid,
  number: data.charge_number,
  traceparent,
});
/** A reversed share is open again, so not all shares are paid. */
const reversed = ({ data, traceparent }: Envelope<Data<'paymentReversed'>>): PaymentEvent => ({
  change: 'payment.reversed',
  payment: data,
  paid: false,
  number: data.charge_number,
  traceparent,
});

export async function paymentsConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.paymentCompleted,
    handlerName: 'documents-payment-completed',
    handle: (event, tx) => recordPayments(ctx, tx, [completed(event)]),
    handleMany: (events, tx) => recordPayments(ctx, tx, events.map(completed)),
  });
  await ctx.bus.consume({
    db: ctx.db,
    event: paymentsEvents.paymentReversed,
    handlerName: 'documents-payment-reversed',
    handle: (event, tx) => recordPayments(ctx, tx, [reversed(event)]),
  });
}
