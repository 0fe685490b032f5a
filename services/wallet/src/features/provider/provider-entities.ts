/** The card provider's payments, refunds and disputes: the same in its answers and its webhooks. */
import { Type, type Static } from 'typebox';

/** The required fields: a proxy's error page with status 200 must not pass. */
export const PaymentEntity = Type.Object({
  id: Type.String({ minLength: 1 }),
  order_id: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  currency: Type.String(),
  status: Type.String(),
  /** The provider's fee with tax, in paise; known once the payment is captured. */
  fee: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});
export const RefundEntity = Type.Object({
  id: Type.String({ minLength: 1 }),
  payment_id: Type.String({ minLength: 1 }),
  amount: Type.Integer({ minimum: 1 }),
  receipt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.String(),
});
export const DisputeEntity = Type.Object({
  id: Type.String({ minLength: 1 }),
  payment_id: Type.String({ minLength: 1 }),
  amount: Type.Integer({ minimum: 1 }),
  status: Type.String(),
});

export type ProviderPayment = {
  id: string;
  orderId: string;
  amountPaise: number;
  /** The provider's fee with tax; 0 while it is unknown. */
  feePaise: number;
  currency: string;
  captured: boolean;
  /** The bank has approved it; the money has not arrived. */
  authorized: boolean;
  /** The whole amount was captured and then refunded. */
  refunded: boolean;
};
export type ProviderRefund = {
  id: string;
  paymentId: string;
  amountPaise: number;
  receipt: string | null;
  status: 'pending' | 'processed' | 'failed';
};
export type ProviderDispute = {
  id: string;
  paymentId: string;
  amountPaise: number;
  status: 'open' | 'won' | 'lost';
};

export const toPayment = (payment: Static<typeof PaymentEntity>): ProviderPayment => ({
  id: payment.id,
  orderId: payment.order_id ?? '',
  amountPaise: payment.amount,
  feePaise: payment.fee ?? 0,
  currency: payment.currency,
  captured: payment.status === 'captured',
  authorized: payment.status === 'authorized',
  refunded: payment.status === 'refunded',
});

/** An unknown state counts as pending. */
export const toRefund = (refund: Static<typeof RefundEntity>): ProviderRefund => ({
  id: refund.id,
  paymentId: refund.payment_id,
  amountPaise: refund.amount,
  receipt: refund.receipt ?? null,
  status: refund.status === 'processed' || refund.status === 'failed' ? refund.status : 'pending',
});

/** `closed` is a dispute that ended without the bank taking the money. */
const DISPUTE_ENDS: Record<string, ProviderDispute['status']> = { won: 'won', closed: 'won', lost: 'lost' };

export const toDispute = (dispute: Static<typeof DisputeEntity>): ProviderDispute => ({
  id: dispute.id,
  paymentId: dispute.payment_id,
  amountPaise: dispute.amount,
  status: DISPUTE_ENDS[dispute.status] ?? 'open',
});
