import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { nowS } from '@karaar/testing/sandboxes/razorpay/entities';
import type { Dispute, Payment, ProviderRefund } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { claimRun, readRun } from '../src/features/reconciliation/reconciliation.repository.ts';
import { runIfDue } from '../src/features/reconciliation/worker.ts';
import { debitOf, startApi, type Api } from './api.ts';
import { exceptionsOf, providersNet, systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
beforeAll(async () => {
  api = await startApi('wallet-reconciliation', { BOOKS_GRACE_S: '0' });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  api.razorpay.mode = 'normal';
  user = await api.world.addUser('Asha Rao');
});

const db = () => api.service.foundation.db;
const makeDue = () => sql`UPDATE reconciliation SET next_at = now(), lease_until = NULL`.execute(db());
const compare = async () => {
  await makeDue();
  expect(await runIfDue(api.ctx)).toBe(true);
  await api.sound();
  expect((await systemBalance(api, 'clearing')) + providersNet(api.razorpay)).toBe(0);
};
const id = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '')}`;
const paid = async (rupees = 100): Promise<Payment> => {
  const payment = api.razorpay.pay(await api.order(user, rupees));
  await api.verify(user, api.razorpay.checkoutOf(payment));
  return payment;
};
const noted = (subject: string) => exceptionsOf(api, subject);
const refundOf = (payment_id: string, amount: number, change: Partial<ProviderRefund> = {}) => {
  const refund: ProviderRefund = {
    id: id('rfnd'),
    payment_id,
    amount,
    receipt: null,
    status: 'processed',
    created_at: nowS(),
    ...change,
  };
  api.razorpay.refunds.push(refund);
  return refund;
};

it('catches up on every lost webhook: payment, refund, dispute', async () => {
  const payment = api.razorpay.pay(await api.order(user, 100));
  refundOf(payment.id, 3_000);
  const lost: Dispute = {
    id: id('disp'),
    payment_id: payment.id,
    amount: 2_000,
    status: 'lost',
    created_at: nowS(),
  };
  api.razorpay.disputes.push(lost);
  await compare();
  expect(await api.balance(user)).toBe(50);
  expect(await db().selectFrom('payment_exceptions').select('id').execute()).toEqual([]);
  expect(await readRun(db())).toMatchObject({ payments: 1, refunds: 1, disputes: 1, lease_until: null });
});

it('lists a difference once, and closes it when a later run finds both books equal', async () => {
  const unknown = api.razorpay.pay(id('order'), { amount: 4_200 });
  const unknownRefund = refundOf('pay_ofanothershop', 700);
  await compare();
  await compare();
  expect(await noted(unknown.id)).toMatchObject([{ kind: 'payment_uncredited', state: 'open' }]);
  expect(await noted(unknownRefund.id)).toMatchObject([{ kind: 'refund_unmatched', booked_paise: -700 }]);
  unknownRefund.status = 'failed';
  await compare();
  expect(await noted(unknownRefund.id)).toMatchObject([{ state: 'resolved', resolution: 'settled_itself' }]);
});

it('finds money that a wallet received and the provider does not have', async () => {
  const [gone, shrunk] = [await paid(), await paid()];
  api.razorpay.payments.delete(gone.id);
  shrunk.amount = 4_000;
  await compare();
  expect(await noted(gone.id)).toMatchObject([
    { kind: 'payment_missing', cause: 'payment_not_found', amount_paise: 10_000, booked_paise: -10_000 },
  ]);
  expect(await noted(shrunk.id)).toMatchObject([
    { kind: 'payment_missing', cause: 'amount_differs', booked_paise: -6_000, user_id: user.userId },
  ]);
  api.razorpay.payments.set(gone.id, gone);
  shrunk.amount = 10_000;
  await compare();
  expect([...(await noted(gone.id)), ...(await noted(shrunk.id))].map(({ state }) => state)).toEqual([
    'resolved',
    'resolved',
  ]);
});

it('finds refunds that differ at the provider or are missing there', async () => {
  const payment = await paid();
  const [other, gone] = [refundOf(payment.id, 1_000), refundOf(payment.id, 2_000)];
  await compare();
  // A refund that failed in our books stays failed, whatever is reported later.
  other.status = 'failed';
  await compare();
  other.status = 'processed';
  await sql`UPDATE refunds SET compared_at = NULL WHERE provider_refund_id = ${gone.id}`.execute(db());
  api.razorpay.refunds.splice(api.razorpay.refunds.indexOf(gone), 1);
  await compare();
  expect(await noted(other.id)).toMatchObject([{ kind: 'refund_differs', booked_paise: -1_000 }]);
  expect(await noted(gone.id)).toMatchObject([{ kind: 'refund_missing', booked_paise: 2_000 }]);
  api.razorpay.refunds.push(gone);
  await compare();
  expect(await noted(gone.id)).toMatchObject([{ state: 'resolved' }]);
});

it('finds settlement items that our books do not know, and sums that differ from their items', async () => {
  const payment = await paid();
  const at = nowS() - 2 * 86_400;
  const part = {
    amount: 10_000,
    debit: 0,
    credit: 9_764,
    settlement_id: 'setl_1',
    settled_at: at,
    type: 'payment',
  } as const;
  const fine = { ...part, type: 'adjustment', amount: 500, debit: 500, credit: 0 } as const;
  api.razorpay.settled.push({ ...part, entity_id: payment.id }, { ...fine, entity_id: 'adj_1' });
  const settlement = { id: 'setl_1', amount: 9_264, status: 'processed', created_at: at };
  const wrong = { ...settlement, id: 'setl_2', amount: 77 };
  api.razorpay.settlements.push(settlement, wrong);
  await compare();
  expect(await noted(payment.id)).toEqual([]);
  expect(await noted('setl_1')).toEqual([]);
  expect(await noted('adj_1')).toMatchObject([{ kind: 'settlement_unmatched', cause: 'adjustment' }]);
  expect(await noted('setl_2')).toMatchObject([{ kind: 'settlement_differs', amount_paise: 77 }]);
  expect((await readRun(db())).settlements).toBe(2);
});

it('finds unexplained entries of the clearing account', async () => {
  await api.world.asOwner(
    `SELECT ledger_inside('planted', a.id, b.id, 12, 'planted', 'planted') FROM accounts a, accounts b
     WHERE a.kind = 'clearing' AND b.kind = 'adjustments'`,
  );
  await makeDue();
  await runIfDue(api.ctx);
  expect(await noted('clearing')).toMatchObject([
    { kind: 'clearing_differs', amount_paise: 12, state: 'open' },
  ]);
  await api.world.asOwner(
    `SELECT ledger_inside('taken-back', b.id, a.id, 12, 'planted', 'planted') FROM accounts a, accounts b
     WHERE a.kind = 'clearing' AND b.kind = 'adjustments'`,
  );
  await compare();
  expect(await noted('clearing')).toMatchObject([{ state: 'resolved' }]);
});

it.each(['error', 'reset', 'page', 'keys'] as const)(
  'ends when the provider answers with “%s”, notes nothing, and is due again soon',
  async (mode) => {
    await paid();
    const before = await db().selectFrom('payment_exceptions').select('id').execute();
    api.razorpay.mode = mode;
    await makeDue();
    const last = (await readRun(db())).last_complete_at;
    expect(await runIfDue(api.ctx)).toBe(false);
    const run = await readRun(db());
    expect(run).toMatchObject({ last_complete_at: last, lease_until: null });
    expect(run.next_at.getTime()).toBeGreaterThan(Date.now());
    expect(run.next_at.getTime()).toBeLessThan(Date.now() + 3_600_000);
    expect(await db().selectFrom('payment_exceptions').select('id').execute()).toEqual(before);
    api.razorpay.mode = 'normal';
    await compare();
  },
);

it('runs in one worker at a time and requests no page or entity twice', async () => {
  const other = await api.order(user, 1);
  for (let made = 0; made < 250; made += 1)
    api.razorpay.pay(made === 0 ? other : 'order_of_another_shop', { amount: 100 + made, status: 'failed' });
  await makeDue();
  api.razorpay.calls.length = 0;
  const done = await Promise.all([runIfDue(api.ctx), runIfDue(api.ctx), runIfDue(api.ctx)]);
  expect(done.filter(Boolean)).toHaveLength(1);
  const pages = api.razorpay.calls.filter((call) => call.includes('/v1/payments?'));
  expect(pages.length).toBeGreaterThanOrEqual(3);
  expect(new Set(pages).size).toBe(pages.length);
  await makeDue();
  await claimRun(db());
  expect(await runIfDue(api.ctx)).toBe(false);
});

it('books spent money as a shortfall, and keeps Σ at 0', async () => {
  const payment = await paid();
  await api.debit(debitOf(user, 90));
  const refund = refundOf(payment.id, 10_000);
  await compare();
  expect(await noted(refund.id)).toMatchObject([{ kind: 'wallet_short', amount_paise: 9_000 }]);
});
