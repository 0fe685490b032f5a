import type { FastifyInstance } from 'fastify';
import { Type, type Static } from 'typebox';
import { RazorpayError } from './errors.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { API_MODES, WEBHOOK_MODES, type ApiMode, type ModeSwitch } from './modes.ts';
import type { Webhooks } from './webhooks.ts';

export interface DevOptions {
  ledger: Ledger;
  webhooks: Webhooks;
  apiMode: ModeSwitch<ApiMode>;
}

const PayBody = Type.Object({
  order_id: Type.String({ minLength: 1, maxLength: 100 }),
  outcome: Type.Optional(Type.Enum(['success', 'captured', 'paid', 'failure', 'failed'])),
});

const ModeBody = Type.Object({
  target: Type.Optional(Type.Enum(['webhooks', 'api'])),
  mode: Type.Enum([...new Set([...WEBHOOK_MODES, ...API_MODES])]),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
});

const FAILURES = new Set<string | undefined>(['failure', 'failed']);
/** Long enough to be noticed, short enough to wait for. */
const DEFAULT_DELAY_MS = 2_000;

/** The test's hand on the sandbox: pay without a browser, and choose how it misbehaves. */
export async function razorpayDev(
  app: FastifyInstance,
  { ledger, webhooks, apiMode }: DevOptions,
): Promise<void> {
  app.setErrorHandler((error: Error & { statusCode?: number; validation?: unknown }, _req, reply) => {
    const status = error instanceof RazorpayError ? error.status : (error.statusCode ?? 500);
    const code = error.validation ? 'validation' : status < 500 ? 'bad_request' : 'internal';
    return reply.code(error.validation ? 422 : status).send({ detail: error.message, code });
  });

  app.post<{ Body: Static<typeof PayBody> }>('/dev/razorpay/pay', { schema: { body: PayBody } }, (req) => {
    const outcome: Outcome = FAILURES.has(req.body.outcome) ? 'failure' : 'success';
    const { order, payment } = ledger.attempt(req.body.order_id, outcome);
    webhooks.announce(order, payment);
    return ledger.resultOf(payment);
  });

  app.get('/dev/razorpay/mode', () => ({ webhooks: webhooks.mode.current, api: apiMode.current }));

  app.post<{ Body: Static<typeof ModeBody> }>(
    '/dev/razorpay/mode',
    { schema: { body: ModeBody } },
    (req, reply) => {
      const { target = 'webhooks', mode, delay_ms = DEFAULT_DELAY_MS, times = null } = req.body;
      const webhookMode = WEBHOOK_MODES.find((name) => name === mode);
      const callMode = API_MODES.find((name) => name === mode);
      if (target === 'webhooks' && webhookMode) webhooks.mode.set({ mode: webhookMode, delay_ms, times });
      else if (target === 'api' && callMode) apiMode.set({ mode: callMode, delay_ms, times });
      else return reply.code(422).send({ detail: `${target} cannot be ${mode}`, code: 'validation' });
      return { webhooks: webhooks.mode.current, api: apiMode.current };
    },
  );

  app.get('/dev/razorpay/webhooks', () => webhooks.deliveries);
}
