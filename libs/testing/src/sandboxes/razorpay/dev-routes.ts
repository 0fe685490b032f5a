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
  /** Paise, where the bank took another amount than the order's. */
  amount: Type.Optional(Type.Integer({ minimum: 100 })),
  outcome: Type.Optional(Type.Enum(['success', 'captured', 'paid', 'authorized', 'failure', 'failed'])),
});

/** Settlements are compared once their day is over: a test says when one was made. */
const SettleBody = Type.Object({ at: Type.Optional(Type.Integer({ minimum: 1 })) });

const AccountBody = Type.Object({ fee_bearer: Type.Enum(['platform', 'customer']) });

const ModeBody = Type.Object({
  target: Type.Optional(Type.Enum(['webhooks', 'api'])),
  mode: Type.Enum([...new Set([...WEBHOOK_MODES, ...API_MODES])]),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
});

const Id = Type.String({ minLength: 1, maxLength: 100 });
const Amount = Type.Optional(Type.Integer({ minimum: 100 }));
const PaymentBody = Type.Object({ payment_id: Id, status: Type.Enum(['captured', 'failed']) });
const RefundBody = Type.Union([
  Type.Object({ payment_id: Id, amount: Amount }),
  Type.Object({ refund_id: Id, status: Type.Enum(['processed', 'failed']) }),
  Type.Object({ takes: Type.Enum(['pending', 'processed', 'failed']) }),
]);
const DisputeBody = Type.Union([
  Type.Object({ payment_id: Id, amount: Amount }),
  Type.Object({ dispute_id: Id, status: Type.Enum(['under_review', 'won', 'lost', 'closed']) }),
]);

/** What the provider, banks and people at its dashboard do by themselves; each is announced. */
function changeRoutes(app: FastifyInstance, ledger: Ledger, webhooks: Webhooks): void {
  // An approved payment arrives late, or its capture fails.
  app.post<{ Body: Static<typeof PaymentBody> }>(
    '/dev/razorpay/payments',
    { schema: { body: PaymentBody } },
    ({ body }) => {
      const { order, payment } = ledger.endPayment(body.payment_id, body.status === 'captured');
      webhooks.announce(order, payment);
      return payment;
    },
  );

  // A setting in the provider's dashboard.
  app.post<{ Body: Static<typeof AccountBody> }>(
    '/dev/razorpay/account',
    { schema: { body: AccountBody } },
    ({ body }) => {
      ledger.feeBearer = body.fee_bearer;
      return body;
    },
  );

  // Makes a refund, ends a refund that was accepted, or sets the state in which later refunds are accepted.
  app.post<{ Body: Static<typeof RefundBody> }>(
    '/dev/razorpay/refunds',
    { schema: { body: RefundBody } },
    ({ body }) => {
      if ('takes' in body) {
        ledger.takesRefunds = body.takes;
        return body;
      }
      const refund =
        'refund_id' in body
          ? ledger.endRefund(body.refund_id, body.status)
          : ledger.refund(body.payment_id, {
              ...(body.amount === undefined ? {} : { amount: body.amount }),
              speed: 'normal',
              receipt: null,
              notes: [],
            });
      webhooks.announceRefund(refund, ledger.payment(refund.payment_id));
      return refund;
    },
  );

  app.get('/dev/razorpay/refunds', () => ledger.refunds);

  app.post<{ Body: Static<typeof DisputeBody> }>(
    '/dev/razorpay/disputes',
    { schema: { body: DisputeBody } },
    ({ body }) => {
      const dispute =
        'dispute_id' in body
          ? ledger.moveDispute(body.dispute_id, body.status)
          : ledger.openDispute(body.payment_id, body.amount);
      webhooks.announceDispute(dispute, ledger.payment(dispute.payment_id));
      return dispute;
    },
  );
}

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
    const { outcome: asked } = req.body;
    const outcome: Outcome = asked === 'authorized' ? asked : FAILURES.has(asked) ? 'failure' : 'success';
    const { order, payment } = ledger.attempt(req.body.order_id, outcome, null, req.body.amount);
    webhooks.announce(order, payment);
    return ledger.resultOf(payment);
  });

  changeRoutes(app, ledger, webhooks);

  app.post<{ Body: Static<typeof SettleBody> }>(
    '/dev/razorpay/settlements',
    { schema: { body: SettleBody } },
    ({ body }) => ledger.settle(body.at) ?? { entity: 'settlement', amount: 0 },
  );

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
