/**
 * Random events at the provider, with webhooks that come late, twice or never: a comparison leaves equal
 * books, or an open exception for each difference.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Dispute, Webhook, Payment, ProviderRefund } from '@karaar/testing/providers/razorpay';
import { nowS } from '@karaar/testing/sandboxes/razorpay/entities';
import type { WorldUser } from '@karaar/testing/service-world';
import fc from 'fast-check';
import { sql } from 'kysely';
import { runIfDue } from '../src/features/reconciliation/worker.ts';
import { debitOf, startApi, type Api } from './api.ts';
import { exceptionsOf, providersNet, systemBalance } from './exceptions.ts';

jest.setTimeout(240_000);

let api: Api;
let user: WorldUser;
beforeAll(async () => {
  api = await startApi('wallet-reconciliation-property', { BOOKS_GRACE_S: '0' });
}, 120_000);
afterAll(() => api.stop());

/** How a webhook arrives: at once, twice at the same moment, after everything else, or never. */
const manner = fc.constantFrom('now', 'twice', 'late', 'lost');
const nth = fc.nat({ max: 9 });
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      manner,
      order: fc.constantFrom('own', 'unknown', 'again'),
      more: fc.constantFrom(0, 0, 500),
      fee: fc.constantFrom(0, 236, 500, 2_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('refund'), manner, nth, share: fc.integer({ min: 1, max: 4 }) }),
  },
  fc.record({ kind: fc.constant('refund-fails'), manner, nth }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dispute'), manner, nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('dispute-ends'), manner, nth, won: fc.boolean() }) },
  fc.record({ kind: fc.constant('spend'), paise: fc.integer({ min: 100, max: 9_000 }) }),
  fc.record({ kind: fc.constant('compare') }),
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const id = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;
const db = () => api.service.foundation.db;
const compare = async () => {
  await sql`UPDATE reconciliation SET next_at = now(), lease_until = NULL`.execute(db());
  expect(await runIfDue(api.ctx)).toBe(true);
};

type World = {
  payments: Payment[];
  refunds: ProviderRefund[];
  disputes: Dispute[];
  orders: string[];
  late: Webhook[];
};

async function deliver(world: World, webhook: Webhook, how: string): Promise<void> {
  if (how === 'late') world.late.push(webhook);
  if (how === 'now') await api.deliver(webhook);
  if (how === 'twice') await Promise.all([api.deliver(webhook), api.deliver(webhook)]);
}
const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];
const left = ({ refunds, disputes }: World, { id: of, amount }: Payment) =>
  [
    ...refunds.filter(({ status }) => status !== 'failed'),
    ...disputes.filter(({ status }) => status !== 'won'),
  ]
    .filter(({ payment_id }) => payment_id === of)
    .reduce((rest, each) => rest - each.amount, amount);

async function happen(world: World, now: Event): Promise<void> {
  const { razorpay } = api;
  if (now.kind === 'compare') return compare();
  if (now.kind === 'spend')
    return void (await api.debit(debitOf(user, now.paise / 100)).catch(() => undefined));
  if (now.kind === 'pay') {
    const again = now.order === 'again' ? world.orders.at(-1) : undefined;
    const order = again ?? (now.order === 'unknown' ? id('order') : await api.order(user, 100));
    world.orders.push(order);
    const payment = razorpay.pay(order, { amount: 10_000 + now.more, fee: now.fee });
    world.payments.push(payment);
    return deliver(world, razorpay.webhook('payment.captured', payment), now.manner);
  }
  if (now.kind === 'refund') {
    const payment = pick(world.payments, now.nth);
    const amount = payment ? Math.floor(left(world, payment) / now.share) : 0;
    if (!payment || amount < 100) return;
    const refund: ProviderRefund = {
      id: id('rfnd'),
      payment_id: payment.id,
      amount,
      receipt: null,
      status: 'processed',
      created_at: nowS(),
    };
    world.refunds.push(refund);
    razorpay.refunds.push(refund);
    if (left(world, payment) === 0 && amount === payment.amount) payment.status = 'refunded';
    return deliver(world, razorpay.webhookOf('refund.processed', { refund: { ...refund } }), now.manner);
  }
  if (now.kind === 'refund-fails') {
    const refund = pick(world.refunds, now.nth);
    if (!refund) return;
    refund.status = 'failed';
    const payment = razorpay.payments.get(refund.payment_id);
    if (payment) payment.status = 'captured';
    return deliver(world, razorpay.webhookOf('refund.failed', { refund: { ...refund } }), now.manner);
  }
  if (now.kind === 'dispute') {
    const payment = pick(world.payments, now.nth);
    const amount = payment ? left(world, payment) : 0;
    if (!payment || amount < 100) return;
    const dispute: Dispute = {
      id: id('disp'),
      payment_id: payment.id,
      amount,
      status: 'open',
      created_at: nowS(),
    };
    world.disputes.push(dispute);
    razorpay.disputes.push(dispute);
    return deliver(
      world,
      razorpay.webhookOf('payment.dispute.created', { dispute: { ...dispute } }),
      now.manner,
    );
  }
  const dispute = pick(
    world.disputes.filter(({ status }) => status === 'open'),
    now.nth,
  );
  if (!dispute) return;
  dispute.status = now.won ? 'won' : 'lost';
  await deliver(
    world,
    razorpay.webhookOf(`payment.dispute.${dispute.status}`, { dispute: { ...dispute } }),
    now.manner,
  );
}

/** Returns the differences between the books that no open exception covers. */
async function unsaid({ payments, refunds, disputes }: World): Promise<string[]> {
  const found: string[] = [];
  const check = async (subject: string, theirs: number, ours: number | undefined) => {
    if (theirs === (ours ?? 0)) return;
    const open = (await exceptionsOf(api, subject)).some(({ state }) => state !== 'resolved');
    if (!open) found.push(`${subject}: ${theirs} and ${ours ?? 0}`);
  };
  for (const { id: of, amount } of payments) {
    const row = await db()
      .selectFrom('top_up_orders')
      .select(sql<number>`amount_paise + fee_paise`.as('captured'))
      .where('payment_id', '=', of)
      .executeTakeFirst();
    await check(of, amount, row?.captured);
  }
  for (const { id: of, amount, status } of refunds) {
    const row = await db()
      .selectFrom('refunds')
      .selectAll()
      .where('provider_refund_id', '=', of)
      .executeTakeFirst();
    await check(of, status === 'failed' ? 0 : amount, row?.status === 'failed' ? 0 : row?.amount_paise);
  }
  for (const { id: of, amount, status } of disputes) {
    const row = await db().selectFrom('disputes').selectAll().where('id', '=', of).executeTakeFirst();
    await check(of, status === 'lost' ? amount : 0, row?.status === 'lost' ? row.amount_paise : 0);
  }
  return found;
}

it('ends with equal books, or an open exception for each difference, and a second run finds nothing new', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 14 }), async (events) => {
      user = await api.world.addUser('Asha Rao');
      const world: World = { payments: [], refunds: [], disputes: [], orders: [], late: [] };
      for (const each of events) await happen(world, each);
      for (const webhook of world.late.reverse()) await api.deliver(webhook);
      await compare();
      await api.sound();
      expect(await unsaid(world)).toEqual([]);
      expect((await systemBalance(api, 'clearing')) + providersNet(api.razorpay)).toBe(0);
      const all = () =>
        db().selectFrom('payment_exceptions').select(['id', 'version']).orderBy('id').execute();
      const before = await all();
      await compare();
      expect(await all()).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
