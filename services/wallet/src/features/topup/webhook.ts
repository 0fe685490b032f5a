/** The provider's notices, reduced to what they say about an order. Pure. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ProviderPayment } from './card-provider.ts';

const Notice = Type.Object({
  event: Type.String(),
  payload: Type.Object({
    payment: Type.Optional(
      Type.Object({
        entity: Type.Object({
          id: Type.String({ minLength: 1 }),
          order_id: Type.Union([Type.String(), Type.Null()]),
          amount: Type.Integer(),
          currency: Type.String(),
          status: Type.String(),
        }),
      }),
    ),
  }),
});

export type WebhookMeaning =
  { kind: 'captured'; payment: ProviderPayment } | { kind: 'failed'; orderId: string } | { kind: 'other' };

/** Undefined when the body is no notice at all. */
export function readWebhook(rawBody: Buffer): WebhookMeaning | undefined {
  let body: unknown;
  try {
    body = JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Value.Check(Notice, body)) return undefined;
  const payment = body.payload.payment?.entity;
  if (!payment?.order_id) return { kind: 'other' };
  if (body.event === 'payment.captured' || body.event === 'order.paid') {
    return {
      kind: 'captured',
      payment: {
        id: payment.id,
        orderId: payment.order_id,
        amountPaise: payment.amount,
        currency: payment.currency,
        captured: true,
      },
    };
  }
  return body.event === 'payment.failed' ? { kind: 'failed', orderId: payment.order_id } : { kind: 'other' };
}
