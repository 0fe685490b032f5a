import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { answerAsRazorpay } from './api-routes.ts';
import { badField, RazorpayError } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { Webhooks } from './webhooks.ts';

export interface CheckoutOptions {
  ledger: Ledger;
  webhooks: Webhooks;
  keyId: string;
}

const script = readFileSync(new URL('./checkout.browser.js', import.meta.url), 'utf8');

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined;

/**
 * The browser's part: the script, and two calls that need the public key only, as in the provider's checkout.
 * `attempt` answers 200 with the result, or 400 with the bank's rejection in the provider's shape.
 */
export async function razorpayCheckout(app: FastifyInstance, options: CheckoutOptions): Promise<void> {
  const { ledger, webhooks, keyId } = options;
  answerAsRazorpay(app);
  const checkKey = (key: unknown) => {
    if (key !== keyId) throw new RazorpayError(401, { description: 'The api key provided is invalid' });
  };

  app.get('/v1/checkout.js', (_req, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(script),
  );

  app.get<{ Querystring: { order_id?: string; key_id?: string } }>('/v1/checkout/order', (req) => {
    checkKey(req.query.key_id);
    const order = ledger.order(req.query.order_id ?? '');
    const { id, amount, amount_due, currency, status } = order;
    // The checkout shows the customer's part of the provider's fee before the payment.
    return { id, amount, amount_due, currency, status, fee: ledger.payable(order) - amount };
  });

  app.post('/v1/checkout/attempt', (req) => {
    const { order_id, key_id, outcome, description } = (req.body ?? {}) as Record<string, unknown>;
    checkKey(key_id);
    if (outcome !== 'success' && outcome !== 'failure' && outcome !== 'authorized')
      throw badField('outcome', 'The outcome is invalid.');
    const { order, payment } = ledger.attempt(
      textOf(order_id) ?? '',
      outcome,
      textOf(description)?.slice(0, 255),
    );
    webhooks.announce(order, payment);
    if (payment.status !== 'failed') return ledger.resultOf(payment);
    throw new RazorpayError(400, {
      description: payment.error_description ?? '',
      source: payment.error_source ?? 'NA',
      step: payment.error_step ?? 'NA',
      reason: payment.error_reason ?? 'NA',
      metadata: { order_id: order.id, payment_id: payment.id },
    });
  });
}
