/** A stand-in that speaks the card provider's protocol over HTTP: orders, payments, signatures, webhooks. */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessCutOff } from '../servers/cut-off.ts';
import { fromBooks, nowS, type Settled, type Settlement } from './razorpay-lists.ts';

const KEY_ID = 'rzp_test_wallet';
/** Longer than an answer takes on a busy machine: half a second was too short there, and ended a good call with 503. */
export const PROVIDER_TIMEOUT_MS = 3_000;
const KEY_SECRET = 'key-secret-of-the-tests';
/** The current webhook secret, and the one before it, still in force during a rotation. */
export const SECRETS = { current: 'webhook-secret-2', old: 'webhook-secret-1' } as const;

type Order = {
  id: string;
  amount: number;
  currency: string;
  receipt: string;
  status: string;
  payment?: { capture: string };
};
export type Payment = {
  id: string;
  order_id: string;
  amount: number;
  currency: string;
  status: 'captured' | 'authorized' | 'failed' | 'refunded';
  /** The provider's charge with tax, in paise; null until it is captured. */
  fee?: number | null;
  /** Seconds since 1970; now when not given. */
  created_at?: number;
};
export type ProviderRefund = {
  id: string;
  payment_id: string;
  amount: number;
  receipt: string | null;
  status?: 'pending' | 'processed' | 'failed';
  created_at?: number;
};
export type Dispute = {
  id: string;
  payment_id: string;
  amount: number;
  status: 'open' | 'under_review' | 'won' | 'lost' | 'closed';
  created_at?: number;
};
/** What the checkout hands to the browser. */
export type Checkout = {
  razorpay_order_id: string;
  razorpay_payment_id: string;
  razorpay_signature: string;
};
export type Webhook = { body: string; headers: Record<string, string> };

export type Razorpay = {
  env: Record<string, string>;
  /** How it behaves from now on. */
  mode: 'ok' | 'slow' | 'reset' | 'error' | 'page' | 'keys' | 'forgetful';
  orders: Map<string, Order>;
  payments: Map<string, Payment>;
  /** What went back to cards. */
  refunds: ProviderRefund[];
  disputes: Dispute[];
  settlements: Settlement[];
  /** What settlements paid out or kept back. */
  settled: Settled[];
  /** In which state it takes refunds from now on. */
  takesRefunds: 'processed' | 'pending' | 'failed';
  /** How it refuses refunds from now on. */
  refusesRefunds: { status: number; description: string; code?: string } | undefined;
  /** Milliseconds that a refund takes. */
  refundTakesMs: number;
  /** The headers by which refunds were to be done once. */
  refundKeys: (string | undefined)[];
  /** The calls it got, as `GET /v1/payments/pay_x`. */
  calls: string[];
  /** A payer's attempt at an order; by default it is captured in full. */
  pay: (orderId: string, change?: Partial<Payment>) => Payment;
  checkoutOf: (payment: Payment) => Checkout;
  /** A signed webhook about a payment. */
  webhook: (event: string, payment: Payment, secret?: string) => Webhook;
  /** A signed webhook about something else: `refund` or `dispute`. */
  webhookOf: (event: string, entities: { refund: ProviderRefund } | { dispute: Dispute }) => Webhook;
  stop: () => Promise<void>;
};

const id = (kind: string): string => `${kind}_${randomBytes(7).toString('hex')}`;
const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

function signed(event: string, entities: Record<string, object>, secret: string): Webhook {
  const payload = Object.fromEntries(
    Object.entries(entities).map(([name, entity]) => [name, { entity: { entity: name, ...entity } }]),
  );
  const body = JSON.stringify(
    { entity: 'event', event, contains: Object.keys(entities), payload },
    null,
    1, // Spaces, so that a signature over parsed and printed JSON would not match.
  );
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-razorpay-signature': hmac(secret, body),
      'x-razorpay-event-id': id('evt'),
    },
  };
}

export async function startRazorpay(): Promise<Razorpay> {
  const server = createServer((req, res) => void answer(req, res).catch(unlessCutOff(req)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const razorpay: Razorpay = {
    env: {
      RAZORPAY_KEY_ID: KEY_ID,
      RAZORPAY_KEY_SECRET: KEY_SECRET,
      RAZORPAY_WEBHOOK_SECRETS: `${SECRETS.current},${SECRETS.old}`,
      RAZORPAY_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      RAZORPAY_CHECKOUT_URL: 'http://localhost/checkout.js',
      RAZORPAY_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    },
    mode: 'ok',
    orders: new Map(),
    payments: new Map(),
    refunds: [],
    disputes: [],
    settlements: [],
    settled: [],
    takesRefunds: 'processed',
    refusesRefunds: undefined,
    refundTakesMs: 0,
    refundKeys: [],
    calls: [],
    pay: (orderId, change = {}) => {
      const order = razorpay.orders.get(orderId);
      const payment: Payment = {
        id: id('pay'),
        order_id: orderId,
        amount: order?.amount ?? 100,
        currency: order?.currency ?? 'INR',
        status: 'captured',
        created_at: nowS(),
        ...change,
      };
      razorpay.payments.set(payment.id, payment);
      return payment;
    },
    checkoutOf: ({ id: paymentId, order_id }) => ({
      razorpay_order_id: order_id,
      razorpay_payment_id: paymentId,
      razorpay_signature: hmac(KEY_SECRET, `${order_id}|${paymentId}`),
    }),
    webhook: (event, payment, secret = SECRETS.current) =>
      signed(event, { payment: { ...payment, captured: payment.status === 'captured' } }, secret),
    webhookOf: (event, entities) => signed(event, entities, SECRETS.current),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    razorpay.calls.push(`${req.method} ${req.url}`);
    if (razorpay.mode === 'slow') return;
    if (razorpay.mode === 'reset') return void req.socket.resetAndDestroy();
    if (razorpay.mode === 'page') return void res.end('<html>Maintenance</html>');
    const send = (status: number, body: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const refuse = (status: number, description: string) =>
      send(status, { error: { code: 'BAD_REQUEST_ERROR', description } });
    if (razorpay.mode === 'error') return void refuse(500, 'Trouble');
    const keys = `Basic ${Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64')}`;
    if (razorpay.mode === 'keys' || req.headers.authorization !== keys) {
      return void refuse(401, 'Authentication failed');
    }
    const [, , kind, ref, sub] = (req.url ?? '').split('?')[0]?.split('/') ?? [];
    if (req.method === 'POST' && kind === 'orders') {
      const asked = await bodyOf<Pick<Order, 'amount' | 'currency' | 'receipt' | 'payment'>>(req);
      const order = { ...asked, id: id('order'), status: 'created' };
      razorpay.orders.set(order.id, order);
      return void send(200, { entity: 'order', ...order });
    }
    if (kind === 'orders' && sub === 'payments') {
      const items = [...razorpay.payments.values()].filter((payment) => payment.order_id === ref);
      return void send(200, { entity: 'collection', count: items.length, items });
    }
    const listed = req.method === 'GET' ? fromBooks(razorpay, req.url ?? '') : undefined;
    if (listed === 'unknown') return void refuse(400, 'The id provided does not exist');
    if (listed) return void send(200, listed);
    if (kind === 'payments' && sub === 'refunds') {
      const items = razorpay.refunds
        .filter((refund) => refund.payment_id === ref)
        .map((refund) => ({ status: 'processed', ...refund }));
      return void send(200, { entity: 'collection', count: items.length, items });
    }
    if (req.method === 'POST' && sub === 'refund') {
      const asked = await bodyOf<{ amount: number; receipt?: string }>(req);
      const key = req.headers['x-refund-idempotency'];
      razorpay.refundKeys.push(typeof key === 'string' ? key : undefined);
      if (razorpay.refusesRefunds) {
        const { status, description, code = 'BAD_REQUEST_ERROR' } = razorpay.refusesRefunds;
        return void send(status, { error: { code, description } });
      }
      if (asked.amount < 100) return void refuse(400, 'The amount must be at least INR 1.00');
      if (razorpay.refundTakesMs > 0) await sleep(razorpay.refundTakesMs);
      const paid = razorpay.payments.get(ref ?? '');
      const gone = razorpay.refunds
        .filter((refund) => refund.payment_id === ref)
        .reduce((sum, refund) => sum + refund.amount, 0);
      if (!paid || gone + asked.amount > paid.amount) {
        return void refuse(400, 'The total refund amount is greater than the refund payment amount');
      }
      const refund = {
        id: id('rfnd'),
        payment_id: paid.id,
        amount: asked.amount,
        receipt: asked.receipt ?? null,
        status: razorpay.takesRefunds,
        created_at: nowS(),
      };
      razorpay.refunds.push(refund);
      // Done, but the answer is lost on the way.
      if (razorpay.mode === 'forgetful') return void req.socket.resetAndDestroy();
      return void send(200, { entity: 'refund', ...refund });
    }
    const payment = kind === 'payments' ? razorpay.payments.get(ref ?? '') : undefined;
    if (payment) send(200, { entity: 'payment', ...payment });
    else refuse(400, 'The id provided does not exist');
  }
  return razorpay;
}

async function bodyOf<T>(req: IncomingMessage): Promise<T> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return JSON.parse(text) as T;
}
