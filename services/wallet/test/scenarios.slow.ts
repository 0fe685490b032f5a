/** Every scenario of the card provider, however its webhooks arrive: our ledger ends equal to its books. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Webhook } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { sweepRefunds } from '../src/features/refunds/carry-out.service.ts';
import { runIfDue } from '../src/features/reconciliation/worker.ts';
import { reconcile } from '../src/features/provider-updates/reconciler.ts';
import { debitOf, startApi, type Api } from './api.ts';
import { providersNet, systemBalance } from './exceptions.ts';
import { SCENARIOS, type Scenario, type Stage } from './scenarios.ts';

jest.setTimeout(60_000);

/** When the browser returns from the payment, and when the provider's webhooks arrive. */
const MANNERS = {
  'browser gone': { browser: 'never', webhooks: 'first' },
  'webhook first': { browser: 'after', webhooks: 'first' },
  'webhook late': { browser: 'before', webhooks: 'late' },
  'webhook twice': { browser: 'before', webhooks: 'twice' },
  'webhook never': { browser: 'before', webhooks: 'never' },
  'browser gone, webhook never': { browser: 'never', webhooks: 'never' },
} as const;
type Manner = (typeof MANNERS)[keyof typeof MANNERS];

let api: Api;
let admin: { headers: { authorization: string } };
beforeAll(async () => {
  api = await startApi('wallet-scenarios', { BOOKS_GRACE_S: '0', RAZORPAY_TIMEOUT_MS: '1000' });
  admin = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());

const db = () => api.service.foundation.db;

/** Runs the workers for open orders and refunds as if time had passed. */
async function timePasses({ userId }: WorldUser): Promise<void> {
  await sql`UPDATE top_up_orders SET next_check_at = now() WHERE status <> 'paid' AND user_id = ${userId}`.execute(
    db(),
  );
  await reconcile(api.ctx);
  await sql`UPDATE refunds SET next_check_at = now(), lease_until = NULL WHERE status = 'pending'`.execute(
    db(),
  );
  await sweepRefunds(api.ctx);
}

async function compare(): Promise<void> {
  await sql`UPDATE reconciliation SET next_at = now(), lease_until = NULL`.execute(db());
  expect(await runIfDue(api.ctx)).toBe(true);
}

const exceptions = () =>
  db().selectFrom('payment_exceptions').select(['id', 'kind', 'state', 'version']).orderBy('id').execute();

async function deliver(webhook: Webhook, times: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: times }, () => api.deliver(webhook)));
  // 503 means that the provider did not answer our request; it sends such a webhook again.
  for (const { status } of answers) expect([200, 503]).toContain(status);
  if (answers.some(({ status }) => status === 503)) undelivered.push(webhook);
}
let undelivered: Webhook[] = [];

async function stageFor(user: WorldUser, { begins }: Scenario): Promise<Stage> {
  const { razorpay } = api;
  const orderId = await api.order(user, 100);
  const payment = razorpay.pay(orderId, begins);
  const known = new Set(razorpay.refunds);
  return {
    ...{ razorpay, orderId, payment, disputes: [] },
    refunds: () => razorpay.refunds.filter((refund) => !known.has(refund)),
    refund: async (rupees) => {
      const request = { payment_id: payment.id, amount: rupees, reason: 'Paid by mistake' };
      const { status } = await api.call(admin, 'POST', '/admin/wallet/refunds', {
        ...request,
        idempotency_key: randomUUID(),
      });
      expect(status).toBe(201);
    },
    spend: async (rupees) => void (await api.debit(debitOf(user, rupees))),
  };
}

/**
 * Returns the states of a payment's refunds by the provider's ids. A refund that failed before we knew of it
 * is not in our books.
 */
async function refundStates({ payment }: Stage): Promise<{ ours: object; theirs: object }> {
  const rows = await db()
    .selectFrom('refunds')
    .select(['provider_refund_id', 'status'])
    .where('payment_id', '=', payment.id)
    .execute();
  const ours = Object.fromEntries(rows.map((row) => [String(row.provider_refund_id), row.status]));
  const made = api.razorpay.refunds.filter(({ payment_id }) => payment_id === payment.id);
  const known = made.filter(({ id, status }) => status !== 'failed' || id in ours);
  return { ours, theirs: Object.fromEntries(known.map(({ id, status }) => [id, status])) };
}

/** Plays a scenario, and lets time pass when no callback arrives. */
async function play(scenario: Scenario, user: WorldUser, { browser, webhooks }: Manner): Promise<Stage> {
  const stage = await stageFor(user, scenario);
  const verify = () => api.verify(user, api.razorpay.checkoutOf(stage.payment));
  for (const [at, step] of scenario.steps.entries()) {
    const sent = await step(stage);
    if (at === 0 && browser === 'before') await verify();
    for (const webhook of sent) {
      if (webhooks === 'late') undelivered.push(webhook);
      else if (webhooks !== 'never') await deliver(webhook, webhooks === 'twice' ? 2 : 1);
    }
    if (at === 0 && browser === 'after') await verify();
    if (api.razorpay.mode === 'normal') await timePasses(user);
  }
  // In reverse order, so that they overtake each other.
  for (const webhook of undelivered.splice(0).reverse()) await deliver(webhook, 1);
  return stage;
}

beforeEach(() => {
  Object.assign(api.razorpay, { mode: 'normal', takesRefunds: 'processed', refusesRefunds: undefined });
  undelivered = [];
});

const cells = SCENARIOS.flatMap((scenario) =>
  Object.entries(MANNERS).map(([how, manner]) => ({ name: scenario.name, how, scenario, manner })),
);

it.each(cells)('[WALLET-034] $name × $how', async ({ scenario, manner }) => {
  const before = new Set((await exceptions()).map(({ id }) => id));
  const user = await api.world.addUser('Asha Rao');
  const stage = await play(scenario, user, manner);
  await timePasses(user);
  await compare();

  expect(await api.balance(user)).toBe(scenario.wallet);
  await api.sound();
  expect((await systemBalance(api, 'clearing')) + providersNet(api.razorpay)).toBe(0);
  const { ours, theirs } = await refundStates(stage);
  expect(ours).toEqual(theirs);
  const after = await exceptions();
  const mine = after.filter(({ id, state }) => !before.has(id) && state !== 'resolved');
  expect(mine.map(({ kind }) => kind)).toEqual(scenario.exceptions ?? []);
  // A second comparison finds nothing new.
  await compare();
  expect(await exceptions()).toEqual(after);
});
