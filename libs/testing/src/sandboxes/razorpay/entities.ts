/** Razorpay's entities as in its API. Amounts are paise, times are epoch seconds. */
import { randomInt } from 'node:crypto';

export type Notes = Record<string, string | number>;

export interface Order {
  id: string;
  entity: 'order';
  amount: number;
  amount_paid: number;
  amount_due: number;
  currency: string;
  receipt: string | null;
  offer_id: null;
  status: 'created' | 'attempted' | 'paid';
  attempts: number;
  /** An object, or (as at the provider) an empty list without notes. */
  notes: Notes | [];
  /** The requested capture mode; payments are captured immediately anyway. */
  payment?: object;
  created_at: number;
}

/** Without its refunds, which are added in responses. */
export interface Payment {
  id: string;
  entity: 'payment';
  amount: number;
  currency: string;
  status: 'authorized' | 'captured' | 'failed' | 'refunded';
  order_id: string;
  invoice_id: null;
  international: boolean;
  method: 'card';
  description: string | null;
  card_id: string;
  bank: null;
  wallet: null;
  vpa: null;
  email: string;
  contact: string;
  notes: Notes | [];
  fee: number | null;
  tax: number | null;
  error_code: string | null;
  error_description: string | null;
  error_source: string | null;
  error_step: string | null;
  error_reason: string | null;
  acquirer_data: { auth_code: string | null };
  created_at: number;
}

export type RefundStatus = 'pending' | 'processed' | 'failed';

export interface Refund {
  id: string;
  entity: 'refund';
  amount: number;
  currency: string;
  payment_id: string;
  notes: Notes | [];
  receipt: string | null;
  acquirer_data: { arn: null };
  created_at: number;
  batch_id: null;
  status: RefundStatus;
  speed_processed: 'normal';
  speed_requested: 'normal' | 'optimum';
  /** `X-Refund-Idempotency`, absent from responses: a refund with the same key is the same refund. */
  key?: string;
}

export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed';

export interface Dispute {
  id: string;
  entity: 'dispute';
  payment_id: string;
  amount: number;
  currency: string;
  amount_deducted: number;
  reason_code: string;
  phase: 'chargeback';
  status: DisputeStatus;
  created_at: number;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns an id in the provider's form: a prefix and 14 letters or digits. */
export function newId(prefix: 'order' | 'pay' | 'rfnd' | 'card' | 'evt' | 'disp' | 'setl'): string {
  return `${prefix}_${Array.from({ length: 14 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

export const nowS = (): number => Math.floor(Date.now() / 1000);

/** The provider's charge of 2 % and the 18 % GST on it; `fee` includes `tax`. */
export function feeOf(amount: number): { fee: number; tax: number } {
  const charge = Math.round(amount * 0.02);
  const tax = Math.round(charge * 0.18);
  return { fee: charge + tax, tax };
}

/** Returns a payment in the provider's form, with an invented payer. */
export function newPayment(
  { id, currency, notes }: Pick<Order, 'id' | 'currency' | 'notes'>,
  amount: number,
  status: Payment['status'],
): Payment {
  return {
    id: newId('pay'),
    entity: 'payment',
    amount,
    currency,
    status,
    order_id: id,
    invoice_id: null,
    international: false,
    method: 'card',
    description: null,
    card_id: newId('card'),
    bank: null,
    wallet: null,
    vpa: null,
    email: 'void@example.com',
    contact: '+910000000000',
    notes,
    fee: null,
    tax: null,
    error_code: null,
    error_description: null,
    error_source: null,
    error_step: null,
    error_reason: null,
    ...(status === 'failed' ? DECLINED : {}),
    acquirer_data: { auth_code: status === 'captured' ? String(nowS() % 1_000_000).padStart(6, '0') : null },
    created_at: nowS(),
  };
}

/** The error fields of a payment that the bank rejected. */
export const DECLINED = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description: 'Your payment was declined by the test bank. Try again or use another method.',
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed',
} as const;
