import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RazorpayError } from './errors.ts';
import { newOrderOf, newRefundOf } from './input.ts';
import type { Ledger } from './ledger.ts';
import { listRoutes } from './list-routes.ts';
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

async function misbehave(reply: FastifyReply, mode: ModeSwitch<ApiMode>): Promise<void> {
  const { mode: name, delay_ms } = mode.take();
  if (name === 'slow') await sleep(delay_ms);
  if (name === 'reset') {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
  }
  if (name === 'busy')
    throw new RazorpayError(409, {
      description: 'Another request with the same idempotency key is still being processed',
    });
  if (name === 'error')
    throw new RazorpayError(500, {
      code: 'SERVER_ERROR',
      description:
        'We are facing some trouble completing your request at the moment. Please try again shortly.',
    });
}

/** Answers every failure in the provider's shape; also a body that is not JSON. */
export function useRazorpayErrors(app: FastifyInstance): void {
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

/** The server-to-server API (`/v1/…`): orders, payments, refunds. */
export async function razorpayApi(app: FastifyInstance, options: ApiOptions): Promise<void> {
  const { ledger, webhooks, mode } = options;
  useRazorpayErrors(app);
  app.addHook('onRequest', async (req, reply) => {
    await misbehave(reply, mode);
    if (!reply.sent) checkKeys(req, options);
  });

  listRoutes(app, ledger);
  app.post('/v1/orders', (req) => ledger.createOrder(newOrderOf(req.body)));
  app.get<{ Querystring: { receipt?: string; count?: string; skip?: string } }>('/v1/orders', (req) => {
    const { receipt, count = '10', skip = '0' } = req.query;
    const items = ledger
      .ordersWithReceipt(receipt)
      .slice(Number(skip), Number(skip) + Math.min(100, Number(count)));
    return { entity: 'collection', count: items.length, items };
  });
  app.get<IdParams>('/v1/orders/:id', (req) => ledger.order(req.params.id));
  app.get<IdParams>('/v1/orders/:id/payments', (req) => {
    const items = ledger.paymentsOf(req.params.id);
    return { entity: 'collection', count: items.length, items };
  });
  app.get<IdParams>('/v1/payments/:id', (req) => ledger.payment(req.params.id));
  app.get<IdParams>('/v1/payments/:id/refunds', (req) => {
    const items = ledger.refundsOf(req.params.id);
    return { entity: 'collection', count: items.length, items };
  });
  app.post<IdParams>('/v1/payments/:id/refund', (req) => {
    const asked = newRefundOf(req.body, req.headers['x-refund-idempotency']);
    const refund = ledger.refund(req.params.id, asked);
    webhooks.announceRefund(refund, ledger.payment(refund.payment_id));
    return refund;
  });
}
