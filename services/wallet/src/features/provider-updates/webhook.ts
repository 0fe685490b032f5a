/** Reduces the provider's webhooks to what matters for our books. Pure. */
import { Type, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  DisputeEntity,
  PaymentEntity,
  RefundEntity,
  toDispute,
  toPayment,
  toRefund,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
} from '../provider/provider-entities.ts';

const about = <S extends TSchema>(entity: S) => Type.Optional(Type.Object({ entity }));
const Webhook = Type.Object({
  event: Type.String(),
  payload: Type.Object({
    payment: about(PaymentEntity),
    refund: about(RefundEntity),
    dispute: about(DisputeEntity),
  }),
});

export type WebhookMeaning =
  | { kind: 'captured'; payment: ProviderPayment }
  | { kind: 'failed'; orderId: string }
  | { kind: 'refund'; refund: ProviderRefund }
  | { kind: 'dispute'; dispute: ProviderDispute }
  | { kind: 'other' };

const OTHER = { kind: 'other' } as const;

/** Returns undefined if the body is not a webhook event. */
export function readWebhook(rawBody: Buffer): WebhookMeaning | undefined {
  let body: unknown;
  try {
    body = JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Value.Check(Webhook, body)) return undefined;
  const { event, payload } = body;
  if (event.startsWith('refund.') && payload.refund)
    return { kind: 'refund', refund: toRefund(payload.refund.entity) };
  if (event.startsWith('payment.dispute.') && payload.dispute)
    return { kind: 'dispute', dispute: toDispute(payload.dispute.entity) };
  const payment = payload.payment?.entity;
  if (!payment) return OTHER;
  // The event means that the payment was captured; its entity may be newer, for example refunded since.
  if (event === 'payment.captured' || event === 'order.paid')
    return { kind: 'captured', payment: { ...toPayment(payment), captured: true } };
  return event === 'payment.failed' && payment.order_id
    ? { kind: 'failed', orderId: payment.order_id }
    : OTHER;
}
