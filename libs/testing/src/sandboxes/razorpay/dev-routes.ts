import type { FastifyInstance } from 'fastify';
import { Type, type Static, type TSchema } from 'typebox';
import { RazorpayError } from './errors.ts';
import type { Ledger, Outcome } from './ledger.ts';
import { API_MODES, WEBHOOK_MODES, type ApiMode, type ModeSwitch } from './modes.ts';
import type { Webhooks } from './webhooks.ts';

export interface DevOptions {
  ledger: Ledger;
  webhooks: Webhooks;
  apiMode: ModeSwitch<ApiMode>;
}

const Id = Type.String({ minLength: 1, maxLength: 100 });
const Amount = Type.Optional(Type.Integer({ minimum: 100 }));

const OUTCOMES = {
  success: 'success',
  captured: 'success',
  paid: 'success',
  authorized: 'authorized',
  failure: 'failure',
  failed: 'failure',
} as const satisfies Record<string, Outcome>;
const PayBody = Type.Object({
  order_id: Id,
  /** Paise, if the bank took another amount than the order's. */
  amount: Amount,
  outcome: Type.Optional(Type.Enum(Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[])),
});
const PaymentBody = Type.Object({ payment_id: Id, status: Type.Enum(['captured', 'failed']) });
const AccountBody = Type.Object({ fee_bearer: Type.Enum(['platform', 'customer']) });
const RefundBody = Type.Union([
  Type.Object({ payment_id: Id, amount: Amount }),
  Type.Object({ refund_id: Id, status: Type.Enum(['processed', 'failed']) }),
  Type.Object({ takes: Type.Enum(['pending', 'processed', 'failed']) }),
]);
const DisputeBody = Type.Union([
  Type.Object({ payment_id: Id, amount: Amount }),
  Type.Object({ dispute_id: Id, status: Type.Enum(['under_review', 'won', 'lost', 'closed']) }),
]);
/** Settlements are compared once their day is over, so a test sets the time of one. */
const SettleBody = Type.Object({ at: Type.Optional(Type.Integer({ minimum: 1 })) });
const ModeBody = Type.Object({
  target: Type.Optional(Type.Enum(['webhooks', 'api'])),
  mode: Type.Enum([...new Set([...WEBHOOK_MODES, ...API_MODES])]),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
});

/** Long enough to be noticed, short enough to wait for. */
const DEFAULT_DELAY_MS = 2_000;

/**
 * Controls for tests: payers without a browser, actions of the provider, of banks and of its dashboard, and
 * faults. Every change sends its webhooks.
 */
export async function razorpayDev(
  app: FastifyInstance,
  { ledger, webhooks, apiMode }: DevOptions,
): Promise<void> {
  app.setErrorHandler((error: Error & { statusCode?: number; validation?: unknown }, _req, reply) => {
    const status = error instanceof RazorpayError ? error.status : (error.statusCode ?? 500);
    const code = error.validation ? 'validation' : status < 500 ? 'bad_request' : 'internal';
    return reply.code(error.validation ? 422 : status).send({ detail: error.message, code });
  });
  const post = <S extends TSchema>(path: string, body: S, answer: (body: Static<S>) => object) =>
    app.post(`/dev/razorpay/${path}`, { schema: { body } }, (req) => answer(req.body as Static<S>));

  post('pay', PayBody, ({ order_id, outcome = 'success', amount }) => {
    const { order, payment } = ledger.attempt(order_id, OUTCOMES[outcome], null, amount);
    webhooks.announce(order, payment);
    return ledger.resultOf(payment);
  });
  // An approved payment arrives late, or its capture fails.
  post('payments', PaymentBody, ({ payment_id, status }) => {
    const { order, payment } = ledger.endPayment(payment_id, status === 'captured');
    webhooks.announce(order, payment);
    return payment;
  });
  // A setting in the provider's dashboard.
  post('account', AccountBody, (body) => {
    ledger.feeBearer = body.fee_bearer;
    return body;
  });
  // Makes a refund, completes an accepted refund, or sets the status of later refunds.
  post('refunds', RefundBody, (body) => {
    if ('takes' in body) {
      ledger.takesRefunds = body.takes;
      return body;
    }
    const refund =
      'refund_id' in body
        ? ledger.endRefund(body.refund_id, body.status)
        : ledger.refund(body.payment_id, { amount: body.amount, speed: 'normal', receipt: null, notes: [] });
    webhooks.announceRefund(refund, ledger.payment(refund.payment_id));
    return refund;
  });
  app.get('/dev/razorpay/refunds', () => ledger.refunds);
  post('disputes', DisputeBody, (body) => {
    const dispute =
      'dispute_id' in body
        ? ledger.moveDispute(body.dispute_id, body.status)
        : ledger.openDispute(body.payment_id, body.amount);
    webhooks.announceDispute(dispute, ledger.payment(dispute.payment_id));
    return dispute;
  });
  post('settlements', SettleBody, ({ at }) => ledger.settle(at) ?? { entity: 'settlement', amount: 0 });

  const modes = () => ({ webhooks: webhooks.mode.current, api: apiMode.current });
  app.get('/dev/razorpay/mode', modes);
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
      return modes();
    },
  );
  app.get('/dev/razorpay/webhooks', () => webhooks.deliveries);
}
