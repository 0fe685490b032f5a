/**
 * The sandbox's card provider in the test's process: the test changes its ledger directly and controls its
 * behaviour.
 */
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import {
  newId,
  newPayment,
  type Dispute as BookedDispute,
  type Order,
  type Payment,
  type Refund,
  type RefundStatus,
} from '../sandboxes/razorpay/entities.ts';
import { RazorpayError } from '../sandboxes/razorpay/errors.ts';
import { registerRazorpay } from '../sandboxes/razorpay/index.ts';
import type { ApiMode } from '../sandboxes/razorpay/modes.ts';
import type {
  Settled as BookedSettled,
  Settlement as BookedSettlement,
} from '../sandboxes/razorpay/settlements.ts';

const KEY_ID = 'rzp_test_wallet';
/**
 * Longer than a response takes on a busy machine: half a second was too short and turned valid calls into
 * 503.
 */
export const PROVIDER_TIMEOUT_MS = 3_000;
const KEY_SECRET = 'key-secret-of-the-tests';
/** The current webhook secret, and the previous one, which is still valid during a rotation. */
export const SECRETS = { current: 'webhook-secret-2', old: 'webhook-secret-1' } as const;

/** The fields of a ledger entry that a test must provide. */
type Essential<T, K extends keyof T> = Pick<T, K> & Partial<T>;
export type ProviderRefund = Omit<Essential<Refund, 'id' | 'payment_id' | 'amount' | 'receipt'>, 'entity'>;
export type Dispute = Omit<Essential<BookedDispute, 'id' | 'payment_id' | 'amount' | 'status'>, 'entity'>;
export type Settlement = Omit<Essential<BookedSettlement, 'id' | 'amount' | 'created_at'>, 'status'> & {
  status: string;
};
export type Settled = Essential<
  BookedSettled,
  'entity_id' | 'type' | 'amount' | 'debit' | 'credit' | 'settlement_id' | 'settled_at'
>;
export type { Payment };
/** The checkout's result in the browser. */
export type Checkout = {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
};
export type Webhook = { body: string; headers: Record<string, string> };

export type Razorpay = {
  env: Record<string, string>;
  /** How the API behaves from now on. */
  mode: ApiMode;
  orders: Map<string, Order>;
  payments: Map<string, Payment>;
  refunds: ProviderRefund[];
  disputes: Dispute[];
  settlements: Settlement[];
  /** The parts of all settlements. */
  settled: Settled[];
  /** The initial status of later refunds. */
  takesRefunds: RefundStatus;
  /** The error for later refunds. */
  refusesRefunds: { status: number; description: string; code?: string } | undefined;
  refundTakesMs: number;
  /** The idempotency headers of refunds. */
  refundKeys: (string | undefined)[];
  /** The received calls, as `GET /v1/payments/pay_x`. */
  calls: string[];
  /** Adds a payer's attempt at an order; by default it is captured in full. */
  pay: (orderId: string, change?: Partial<Payment>) => Payment;
  checkoutOf: (payment: Payment) => Checkout;
  /** Returns a signed webhook about a payment, which may have no order. */
  webhook: (
    event: string,
    payment: Omit<Payment, 'order_id'> & { order_id: string | null },
    secret?: string,
  ) => Webhook;
  /** Returns a signed webhook about a `refund` or `dispute`. */
  webhookOf: (event: string, entities: Record<string, object>) => Webhook;
  stop: () => Promise<void>;
};

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

function signed(event: string, entities: Record<string, object>, secret: string): Webhook {
  const payload = Object.fromEntries(
    Object.entries(entities).map(([name, entity]) => [name, { entity: { entity: name, ...entity } }]),
  );
  const body = JSON.stringify(
    { entity: 'event', event, contains: Object.keys(entities), payload },
    null,
    1, // Indented, so that a signature over re-serialised JSON would not match.
  );
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-signature': hmac(secret, body),
      'x-razorpay-event-id': newId('evt'),
    },
  };
}

export async function startRazorpay(): Promise<Razorpay> {
  const app = fastify({ forceCloseConnections: true });
  const calls: string[] = [];
  const refundKeys: (string | undefined)[] = [];
  app.addHook('onRequest', async ({ method, url }) => void calls.push(`${method} ${url}`));
  app.addHook('preHandler', async ({ method, url, headers }) => {
    if (method !== 'POST' || !url.endsWith('/refund')) return;
    const key = headers['x-refund-idempotency'];
    refundKeys.push(typeof key === 'string' ? key : undefined);
    const refusal = razorpay.refusesRefunds;
    if (refusal) throw new RazorpayError(refusal.status, refusal);
    await sleep(razorpay.refundTakesMs);
  });
  const keys = { keyId: KEY_ID, keySecret: KEY_SECRET, webhookSecret: SECRETS.current };
  const { ledger, apiMode } = await registerRazorpay(app, { razorpay: keys });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { orders, payments, refunds, disputes, settlements, settled } = ledger;
  const razorpay: Razorpay = {
    env: {
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRETS: `${SECRETS.current},${SECRETS.old}`,
      RAZORPAY_API_URL: url,
      RAZORPAY_CHECKOUT_URL: 'http://localhost/checkout.js',
      RAZORPAY_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    },
    get mode() {
      return apiMode.current.mode;
    },
    set mode(mode) {
      apiMode.set({ mode, delay_ms: 0, times: null });
    },
    get takesRefunds() {
      return ledger.takesRefunds;
    },
    set takesRefunds(status) {
      ledger.takesRefunds = status;
    },
    ...{ orders, payments, refunds, disputes, settlements, settled },
    refusesRefunds: undefined,
    refundTakesMs: 0,
    ...{ refundKeys, calls },
    pay: (orderId, change = {}) => {
      const { currency = 'INR', amount = 100 } = orders.get(orderId) ?? {};
      const { status = 'captured' } = change;
      const payment = { ...newPayment({ id: orderId, currency, notes: [] }, amount, status), ...change };
      payments.set(payment.id, payment);
      return payment;
    },
    checkoutOf: ({ id, order_id }) => ({
      razorpay_order_id: order_id,
      razorpay_payment_id: id,
      razorpay_signature: hmac(KEY_SECRET, `${order_id}|${id}`),
    }),
    webhook: (event, payment, secret = SECRETS.current) =>
      signed(event, { payment: { ...payment, captured: payment.status === 'captured' } }, secret),
    webhookOf: (event, entities) => signed(event, entities, SECRETS.current),
    stop: () => app.close(),
  };
  return razorpay;
}
