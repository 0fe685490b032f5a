import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField, RazorpayError } from './errors.ts';
import { newOrderOf, newRefundOf } from './input.ts';
import type { Ledger, Page } from './ledger.ts';
import type { ApiMode, ModeSwitch } from './modes.ts';
import type { Webhooks } from './webhooks.ts';

export interface ApiOptions {
  ledger: Ledger;
  webhooks: Webhooks;
  mode: ModeSwitch<ApiMode>;
  keyId: string;
  keySecret: string;
}

interface IdParams {
  Params: { id: string };
}
type Query = Partial<Record<'from' | 'to' | 'count' | 'skip' | 'year' | 'month' | 'day', string>>;

const LONGEST = 100;
const LONGEST_SETTLED = 1_000;

const digest = (text: string) => createHash('sha256').update(text).digest();
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

function checkKeys(req: FastifyRequest, { keyId, keySecret }: ApiOptions): void {
  const [scheme, encoded = ''] = (req.headers.authorization ?? '').split(' ', 2);
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  if (scheme?.toLowerCase() !== 'basic' || !id)
    throw new RazorpayError(401, { description: 'Please provide your api key for authentication purposes.' });
  if (!same(id, keyId)) throw new RazorpayError(401, { description: 'The api key provided is invalid' });
  if (!same(secret.join(':'), keySecret))
    throw new RazorpayError(401, { description: 'Authentication failed' });
}

const FAULTS = {
  keys: { status: 401, description: 'Authentication failed' },
  busy: {
    status: 409,
    description: 'Another request with the same idempotency key is still being processed',
  },
  error: {
    status: 500,
    code: 'SERVER_ERROR',
    description:
      'We are facing some trouble completing your request at the moment. Please try again shortly.',
  },
};

async function misbehave(name: ApiMode, delayMs: number, reply: FastifyReply): Promise<void> {
  if (name === 'slow') await sleep(delayMs);
  if (name === 'silent') reply.hijack();
  if (name === 'reset') cutOff(reply);
  if (name === 'page') await reply.type('text/html').send('<html>Maintenance</html>');
  if (name === 'keys' || name === 'busy' || name === 'error') {
    const { status, ...error } = FAULTS[name];
    throw new RazorpayError(status, error);
  }
}

function cutOff(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return reply;
}

/** Sends every error in the provider's shape, also for a body that is not JSON. */
export function answerAsRazorpay(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _req, reply) => {
    const known =
      error instanceof RazorpayError
        ? error
        : new RazorpayError(error.statusCode ?? 500, {
            code: (error.statusCode ?? 500) < 500 ? 'BAD_REQUEST_ERROR' : 'SERVER_ERROR',
            description: error.message,
          });
    return reply.code(known.status).send(known.body);
  });
}

function numberOf(name: keyof Query, query: Query, other: number): number {
  const text = query[name];
  if (text === undefined) return other;
  if (!/^\d+$/.test(text)) throw badField(name, `The ${name} must be an integer.`);
  return Number(text);
}

function pageOf(query: Query, longest = LONGEST): Page {
  const count = numberOf('count', query, 10);
  if (count < 1) throw badField('count', 'The count must be at least 1.');
  if (count > longest) throw badField('count', `The count may not be greater than ${longest}.`);
  return {
    count,
    skip: numberOf('skip', query, 0),
    from: numberOf('from', query, 0),
    to: numberOf('to', query, Number.MAX_SAFE_INTEGER),
  };
}

const collection = (items: unknown[]) => ({ entity: 'collection', count: items.length, items });

/** The provider's lists of its own records, newest first. */
function listRoutes(app: FastifyInstance, ledger: Ledger): void {
  for (const kind of ['payment', 'refund', 'dispute', 'settlement'] as const)
    app.get<{ Querystring: Query }>(`/v1/${kind}s`, ({ query }) =>
      collection(ledger.list(kind, pageOf(query))),
    );
  app.get<{ Querystring: Query }>('/v1/settlements/recon/combined', ({ query }) => {
    const { skip, count } = pageOf(query, LONGEST_SETTLED);
    const [year, month, day] = (['year', 'month', 'day'] as const).map((name) => numberOf(name, query, 0));
    const date = [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
    return collection(ledger.settledOn(date).slice(skip, skip + count));
  });
}

/** The server-to-server API (`/v1/…`): orders, payments, refunds, disputes, settlements. */
export async function razorpayApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { ledger, webhooks, mode } = options;
  /** Requests whose responses are dropped. */
  const forgotten = new WeakSet<FastifyRequest>();
  answerAsRazorpay(app);
  app.addHook('onRequest', async (req, reply) => {
    const { mode: name, delay_ms } = mode.take();
    if (name === 'forgetful') forgotten.add(req);
    await misbehave(name, delay_ms, reply);
    if (!reply.sent) checkKeys(req, options);
  });

  listRoutes(app, ledger);
  app.post('/v1/orders', (req) => ledger.createOrder(newOrderOf(req.body)));
  app.get<{ Querystring: Query & { receipt?: string } }>('/v1/orders', ({ query }) => {
    const { skip, count } = pageOf(query);
    return collection(ledger.ordersWithReceipt(query.receipt).slice(skip, skip + count));
  });
  app.get<IdParams>('/v1/orders/:id', ({ params }) => ledger.order(params.id));
  app.get<IdParams>('/v1/orders/:id/payments', ({ params }) => collection(ledger.paymentsOf(params.id)));
  app.get<IdParams>('/v1/payments/:id', ({ params }) => ledger.payment(params.id));
  app.get<IdParams>('/v1/payments/:id/refunds', ({ params }) => collection(ledger.refundsOf(params.id)));
  app.get<IdParams>('/v1/refunds/:id', ({ params }) => ledger.refundOf(params.id));
  app.get<IdParams>('/v1/disputes/:id', ({ params }) => ledger.dispute(params.id));
  app.post<IdParams>('/v1/payments/:id/refund', (req, reply) => {
    const newRefund = newRefundOf(req.body, req.headers['x-refund-idempotency']);
    const refund = ledger.refund(req.params.id, newRefund);
    webhooks.announceRefund(refund, ledger.payment(refund.payment_id));
    return forgotten.has(req) ? cutOff(reply) : refund;
  });
}
