/** Changes at the card provider outside our own calls: refunds and disputes. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import type { Dispute, Payment, ProviderRefund } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { sweepRefunds } from '../src/features/refunds/carry-out.service.ts';
import { claimRefund } from '../src/features/refunds/refunds.repository.ts';
import { debitOf, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
let admin: { headers: { authorization: string } };
let payment: Payment;

beforeAll(async () => {
  api = await startApi('wallet-provider-changes');
  admin = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  Object.assign(api.razorpay, {
    mode: 'normal',
    takesRefunds: 'processed',
    refusesRefunds: undefined,
    refundTakesMs: 0,
  });
  user = await api.world.addUser('Asha Rao');
  payment = api.razorpay.pay(await api.order(user, 100));
  await api.verify(user, api.razorpay.checkoutOf(payment));
});
afterEach(() => api.sound());

const db = () => api.service.foundation.db;
const refund = async (amount = 40) =>
  (
    await api.call(admin, 'POST', '/admin/wallet/refunds', {
      payment_id: payment.id,
      amount,
      reason: 'Paid twice by mistake',
      idempotency_key: randomUUID(),
    })
  ).body;
const atProvider = () => api.razorpay.refunds.filter(({ payment_id }) => payment_id === payment.id);
const statuses = async () => {
  const { body } = await api.call(admin, 'GET', `/admin/wallet/refunds?payment_id=${payment.id}`);
  return listIn<Record<string, unknown>>(body).map(({ status }) => status);
};
const makeDue = () =>
  db()
    .updateTable('refunds')
    .set({ next_check_at: new Date(0), lease_until: null })
    .where('status', '=', 'pending')
    .execute();
const sweep = async () => {
  await makeDue();
  await sweepRefunds(api.ctx);
};
const deliverRefund = async (event: string, of: ProviderRefund) =>
  expect((await api.deliver(api.razorpay.webhookOf(event, { refund: of }))).status).toBe(200);
const deliverDispute = async (event: string, dispute: Dispute) =>
  expect((await api.deliver(api.razorpay.webhookOf(event, { dispute }))).status).toBe(200);
const spend = (rupees: number) => api.debit(debitOf(user, rupees));
const holds = async (kind: 'held' | 'shortfall' | 'clearing') => {
  const { rows } = await sql<{ sum: number }>`
    SELECT coalesce(sum(e.amount_paise), 0)::bigint AS sum FROM entries e
      JOIN transfers t ON t.id = e.transfer_id JOIN accounts a ON a.id = e.account_id
    WHERE a.kind = ${kind} AND t.reference = ${payment.order_id}`.execute(db());
  return (rows[0]?.sum ?? 0) / 100;
};

describe('a refund of ours', () => {
  it('is requested once by a header, and by one worker at a time however long the provider takes', async () => {
    api.razorpay.mode = 'error';
    const { refund_id } = await refund();
    api.razorpay.mode = 'normal';
    api.razorpay.refundTakesMs = 800;
    api.razorpay.refundKeys.length = 0;
    await makeDue();
    await Promise.all([sweepRefunds(api.ctx), sweepRefunds(api.ctx), sweepRefunds(api.ctx)]);
    expect(api.razorpay.refundKeys).toEqual([refund_id]);
    expect([atProvider().length, await statuses(), await api.balance(user)]).toEqual([1, ['processed'], 60]);
  });

  it("is not claimed by a second worker before the first one's lease expires", async () => {
    api.razorpay.mode = 'error';
    await refund();
    await makeDue();
    expect(await claimRefund(db())).toMatchObject({ attempts: 2 });
    expect(await claimRefund(db())).toBeUndefined();
    await sql`UPDATE refunds SET lease_until = now() - interval '1 second' WHERE status = 'pending'`.execute(
      db(),
    );
    expect(await claimRefund(db())).toMatchObject({ attempts: 3 });
    api.razorpay.mode = 'normal';
    await sweep();
  });

  it.each([
    [409, 'Another request with this idempotency key is still being processed'],
    [400, 'Your account does not have enough balance to carry out the refund operation.'],
    [429, 'Too many requests'],
  ])('that is answered %i “%s” stays pending', async (status, description) => {
    api.razorpay.refusesRefunds = { status, description };
    await refund();
    expect([await statuses(), await api.balance(user)]).toEqual([['pending'], 60]);
    api.razorpay.refusesRefunds = undefined;
    await sweep();
    expect([await statuses(), await api.balance(user)]).toEqual([['processed'], 60]);
  });

  it('that the provider has accepted stays pending until a webhook or a request reports that it is processed', async () => {
    api.razorpay.takesRefunds = 'pending';
    await refund(10);
    await refund(20);
    expect(await statuses()).toEqual(['pending', 'pending']);
    const [first, second] = atProvider();
    if (!first || !second) throw new Error('The provider has no two refunds');
    first.status = 'processed';
    await deliverRefund('refund.processed', first);
    await deliverRefund('refund.processed', first);
    second.status = 'processed';
    await sweep();
    expect([await statuses(), await api.balance(user), atProvider().length]).toEqual([
      ['processed', 'processed'],
      70,
      2,
    ]);
  });

  it('that fails in the end returns to the wallet once, even if it was reported as processed', async () => {
    api.razorpay.takesRefunds = 'pending';
    await refund(10);
    await refund(20);
    const [first, second] = atProvider();
    if (!first || !second) throw new Error('The provider has no two refunds');
    Object.assign(first, { status: 'failed' });
    await deliverRefund('refund.failed', first);
    await deliverRefund('refund.failed', first);
    await deliverRefund('refund.processed', { ...second, status: 'processed' });
    Object.assign(second, { status: 'failed' });
    await deliverRefund('refund.failed', second);
    await deliverRefund('refund.processed', { ...second, status: 'processed' });
    await sweep();
    expect([await statuses(), await api.balance(user)]).toEqual([['failed', 'failed'], 100]);
  });

  it('whose webhook comes before the answer is not taken for another refund', async () => {
    api.razorpay.mode = 'forgetful';
    await refund();
    api.razorpay.mode = 'normal';
    const [taken] = atProvider();
    if (!taken) throw new Error('The provider has no refund');
    await deliverRefund('refund.created', taken);
    expect([await statuses(), await api.balance(user)]).toEqual([['processed'], 60]);
  });
});

describe('a refund made in the dashboard', () => {
  const byHand = (amount: number): ProviderRefund => ({
    id: `rfnd_${randomUUID().replaceAll('-', '')}`,
    payment_id: payment.id,
    amount,
    receipt: null,
    status: 'pending',
  });

  it('leaves the wallet once, however often it is reported', async () => {
    const made = byHand(3_000);
    await Promise.all([deliverRefund('refund.created', made), deliverRefund('refund.created', made)]);
    await deliverRefund('refund.processed', { ...made, status: 'processed' });
    expect([await statuses(), await api.balance(user)]).toEqual([['processed'], 70]);
    expect((await api.transactions(user))[0]).toMatchObject({ type: 'debit', description: 'Refund to card' });
  });

  it('takes the whole balance, and the rest is our shortfall', async () => {
    await spend(80);
    const made = byHand(10_000);
    await deliverRefund('refund.processed', { ...made, status: 'processed' });
    expect([await api.balance(user), await holds('shortfall'), await holds('clearing')]).toEqual([0, -80, 0]);
    await deliverRefund('refund.failed', { ...made, status: 'failed' });
    expect([await api.balance(user), await holds('shortfall'), await holds('clearing')]).toEqual([
      20, 0, -100,
    ]);
  });

  it('of a payment whose own webhook is late is booked after its credit', async () => {
    const late = await api.world.addUser('Meera Nair');
    payment = api.razorpay.pay(await api.order(late, 50));
    await deliverRefund('refund.processed', { ...byHand(2_000), status: 'processed' });
    expect(await api.balance(late)).toBe(30);
    await api.deliver(api.razorpay.webhook('payment.captured', payment));
    expect(await api.balance(late)).toBe(30);
  });

  it('of an unknown payment is acknowledged and changes no wallet', async () => {
    await deliverRefund('refund.processed', {
      ...byHand(2_000),
      payment_id: 'pay_ofanothershop',
      status: 'processed',
    });
    expect(await api.balance(user)).toBe(100);
  });
});

describe('a dispute', () => {
  const dispute = (amount: number, status: Dispute['status'] = 'open'): Dispute => ({
    id: `disp_${randomUUID().replaceAll('-', '')}`,
    payment_id: payment.id,
    amount,
    status,
  });

  it('sets the money aside, and gives it back if we win', async () => {
    const opened = dispute(6_000);
    await deliverDispute('payment.dispute.created', opened);
    await deliverDispute('payment.dispute.under_review', { ...opened, status: 'under_review' });
    expect([await api.balance(user), await holds('held')]).toEqual([40, 60]);
    await deliverDispute('payment.dispute.won', { ...opened, status: 'won' });
    await deliverDispute('payment.dispute.won', { ...opened, status: 'won' });
    // A late webhook does not open it again.
    await deliverDispute('payment.dispute.created', opened);
    expect([await api.balance(user), await holds('held')]).toEqual([100, 0]);
  });

  it('takes the money if we lose, even without an earlier webhook, and our shortfall covers the rest', async () => {
    await spend(70);
    const lost = dispute(10_000, 'lost');
    await deliverDispute('payment.dispute.lost', lost);
    await deliverDispute('payment.dispute.lost', lost);
    expect([
      await api.balance(user),
      await holds('held'),
      await holds('shortfall'),
      await holds('clearing'),
    ]).toEqual([0, 0, -70, 0]);
  });
});
