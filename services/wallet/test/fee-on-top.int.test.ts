/**
 * Payers who bear the card provider's fee: more is captured than the order's amount, and the wallet gets the
 * order's amount.
 */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { Dispute, Payment, ProviderRefund } from '@karaar/testing/providers/razorpay';
import { nowS } from '@karaar/testing/sandboxes/razorpay/entities';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { runIfDue } from '../src/features/reconciliation/worker.ts';
import { creditOrder } from '../src/features/topup/topup.service.ts';
import { reconcile } from '../src/features/provider-updates/reconciler.ts';
import { debitOf, startApi, type Api } from './api.ts';
import { exceptionsOf, providersNet, systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
let admin: { headers: { authorization: string } };
let order: string;

beforeAll(async () => {
  api = await startApi('wallet-fee-on-top', { BOOKS_GRACE_S: '0' });
  admin = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
  order = await api.order(user, 500);
});
afterEach(() => api.sound());

const db = () => api.service.foundation.db;
const ON_TOP = { amount: 51_180, fee: 1_180 } as const;
const payOnTop = (change: Partial<Payment> = {}) => api.razorpay.pay(order, { ...ON_TOP, ...change });
const verify = (payment: Payment) => api.verify(user, api.razorpay.checkoutOf(payment));
const paid = async (): Promise<Payment> => {
  const payment = payOnTop();
  expect((await verify(payment)).status).toBe(200);
  return payment;
};
const deliver = async (webhook: Parameters<Api['deliver']>[0]) =>
  expect((await api.deliver(webhook)).status).toBe(200);
const books = async () => {
  const { rows } = await sql<{ fees: number }>`
    SELECT coalesce(sum(e.amount_paise), 0)::bigint AS fees FROM entries e
      JOIN transfers t ON t.id = e.transfer_id JOIN accounts a ON a.id = e.account_id
    WHERE a.kind = 'card_fees' AND t.reference = ${order}`.execute(db());
  return [await api.balance(user), (rows[0]?.fees ?? 0) / 100];
};
const compare = async () => {
  await sql`UPDATE reconciliation SET next_at = now(), lease_until = NULL`.execute(db());
  expect(await runIfDue(api.ctx)).toBe(true);
  expect((await systemBalance(api, 'clearing')) + providersNet(api.razorpay)).toBe(0);
};
const refundOf = (payment: Payment, amount: number): ProviderRefund => {
  const refund: ProviderRefund = {
    id: `rfnd_${randomUUID().replaceAll('-', '')}`,
    payment_id: payment.id,
    amount,
    receipt: null,
    status: 'processed',
    created_at: nowS(),
  };
  api.razorpay.refunds.push(refund);
  return refund;
};
const open = async (subject: string) =>
  (await exceptionsOf(api, subject)).filter(({ state }) => state !== 'resolved');

describe('a payment with the fee on top', () => {
  it("credits the order's amount and books the fee separately, once, for any number of reports from any source", async () => {
    const payment = payOnTop();
    const captured = api.razorpay.webhook('payment.captured', payment);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => verify(payment)),
      api.deliver(captured),
      api.deliver(captured),
      api.deliver(api.razorpay.webhook('order.paid', payment)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200));
    expect(await books()).toEqual([500, 11.8]);
    expect(await exceptionsOf(api, payment.id)).toEqual([]);
    expect(await api.transactions(user)).toMatchObject([
      { type: 'credit', amount: 500, description: 'Wallet top-up, card fee of ₹11.80 paid on top' },
    ]);
    expect((await api.call(user, 'GET', `/wallet/order-status/${order}`)).body).toMatchObject({
      status: 'paid',
      amount: 500,
    });
    await compare();
    expect(await exceptionsOf(api, payment.id)).toEqual([]);
  });

  it('is credited by the reconciler and by the daily comparison if no callback came', async () => {
    payOnTop();
    await sql`UPDATE top_up_orders SET next_check_at = now() WHERE id = ${order}`.execute(db());
    await reconcile(api.ctx);
    expect(await books()).toEqual([500, 11.8]);
    order = await api.order(user, 500);
    const payment = payOnTop();
    await compare();
    expect([await books(), await exceptionsOf(api, payment.id)]).toEqual([[1_000, 11.8], []]);
  });

  it.each([500, 511.8])('is credited once to a payer who claims ₹%d', async (amount) => {
    const payment = payOnTop();
    const claim = (claimed: number) =>
      api.call(user, 'POST', '/wallet/add-funds', { amount: claimed, payment_receipt: payment.id });
    expect(await claim(505)).toMatchObject({ status: 409, body: { code: 'amount_differs' } });
    expect((await claim(amount)).status).toBe(200);
    expect(await claim(amount)).toMatchObject({ status: 409, body: { code: 'already_credited' } });
    expect(await books()).toEqual([500, 11.8]);
  });

  it('waits in suspense until the provider reports the fee, and is then credited', async () => {
    const payment = payOnTop({ fee: null });
    await deliver(api.razorpay.webhook('payment.captured', payment));
    expect(await open(payment.id)).toMatchObject([{ kind: 'payment_uncredited', booked_paise: 51_180 }]);
    payment.fee = 1_180;
    await deliver(api.razorpay.webhook('order.paid', payment));
    expect([await books(), await open(payment.id)]).toEqual([[500, 11.8], []]);
  });

  it.each([
    ['that the provider tells nothing of', { amount: 51_180 }],
    ['beyond the fee', { amount: 51_181, fee: 1_180 }],
    ['that no card has', { amount: 56_000, fee: 6_000 }],
    ['while less is captured than the order says', { amount: 49_000, fee: 1_180 }],
  ])('is an exception with a fee %s', async (_, change) => {
    const payment = api.razorpay.pay(order, change);
    expect(await verify(payment)).toMatchObject({ status: 409, body: { code: 'amount_differs' } });
    expect(await open(payment.id)).toMatchObject([{ cause: 'amount_differs' }]);
    expect(await books()).toEqual([0, 0]);
  });

  it('that pays an order for the second time is an exception', async () => {
    await paid();
    const second = payOnTop();
    expect(await verify(second)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(await books()).toEqual([500, 11.8]);
  });

  it('is credited once if the answer to the commit was lost and the report is repeated', async () => {
    const payment = payOnTop();
    const provider = await api.ctx.provider.findPayment(payment.id);
    if (!provider) throw new Error('The provider does not know the payment');
    // The caller does not get this answer.
    await creditOrder(api.ctx, order, provider);
    expect(await books()).toEqual([500, 11.8]);
    expect((await verify(payment)).status).toBe(200);
    expect(await books()).toEqual([500, 11.8]);
  });

  it('is booked with both parts or not at all', async () => {
    const payment = payOnTop();
    const provider = await api.ctx.provider.findPayment(payment.id);
    if (!provider) throw new Error('The provider does not know the payment');
    // The last statement of the transaction fails, as if the connection ended before the commit.
    const ctx = {
      ...api.ctx,
      outbox: { ...api.ctx.outbox, add: () => Promise.reject(new Error('the connection ended')) },
    };
    await expect(creditOrder(ctx, order, provider)).rejects.toThrow('the connection ended');
    expect(await books()).toEqual([0, 0]);
    expect((await verify(payment)).status).toBe(200);
    expect(await books()).toEqual([500, 11.8]);
  });
});

describe('for a payment with the fee on top', () => {
  const refund = (payment: Payment, amount: number) =>
    api.call(admin, 'POST', '/admin/wallet/refunds', {
      ...{ payment_id: payment.id, amount, reason: 'Paid by mistake' },
      idempotency_key: randomUUID(),
    });

  it("an admin refunds the wallet's part, and not the fee", async () => {
    const payment = await paid();
    expect(await refund(payment, 500.01)).toMatchObject({
      status: 409,
      body: { code: 'refund_beyond_payment', detail: expect.stringContaining('₹500.00') },
    });
    expect(await refund(payment, 500)).toMatchObject({ status: 201, body: { status: 'processed' } });
    expect(await books()).toEqual([0, 11.8]);
    await compare();
    expect(await exceptionsOf(api, payment.id)).toEqual([]);
  });

  it('a full refund in the dashboard takes the fee from the account of fees', async () => {
    const payment = await paid();
    const made = refundOf(payment, 51_180);
    payment.status = 'refunded';
    await Promise.all(
      [1, 2].map(() => deliver(api.razorpay.webhookOf('refund.processed', { refund: made }))),
    );
    expect([await books(), await exceptionsOf(api, made.id)]).toEqual([[0, 0], []]);
    await compare();
    made.status = 'failed';
    payment.status = 'captured';
    await deliver(api.razorpay.webhookOf('refund.failed', { refund: made }));
    expect(await books()).toEqual([500, 11.8]);
    await compare();
  });

  it("partial refunds take the fee last, and only the wallet's part can become a shortfall", async () => {
    const payment = await paid();
    await api.debit(debitOf(user, 450));
    const [first, second] = [refundOf(payment, 30_000), refundOf(payment, 21_180)];
    await deliver(api.razorpay.webhookOf('refund.processed', { refund: first }));
    expect(await books()).toEqual([0, 11.8]);
    await deliver(api.razorpay.webhookOf('refund.processed', { refund: second }));
    expect(await books()).toEqual([0, 0]);
    expect(await open(first.id)).toMatchObject([{ kind: 'wallet_short', amount_paise: 25_000 }]);
    expect(await open(second.id)).toMatchObject([{ kind: 'wallet_short', amount_paise: 20_000 }]);
    await compare();
  });

  it.each(['won', 'lost'] as const)('a dispute over everything that is %s', async (end) => {
    const payment = await paid();
    await api.debit(debitOf(user, 100));
    const dispute: Dispute = {
      id: `disp_${randomUUID().replaceAll('-', '')}`,
      payment_id: payment.id,
      amount: 51_180,
      status: 'open',
      created_at: nowS(),
    };
    api.razorpay.disputes.push(dispute);
    await deliver(api.razorpay.webhookOf('payment.dispute.created', { dispute: { ...dispute } }));
    expect(await books()).toEqual([0, 11.8]);
    dispute.status = end;
    await deliver(api.razorpay.webhookOf(`payment.dispute.${end}`, { dispute: { ...dispute } }));
    expect(await books()).toEqual(end === 'won' ? [400, 11.8] : [0, 0]);
    expect((await open(dispute.id)).map(({ amount_paise }) => amount_paise)).toEqual(
      end === 'won' ? [] : [10_000],
    );
    await compare();
  });

  it('a settlement lists the captured amount', async () => {
    const payment = await paid();
    const at = nowS() - 2 * 86_400;
    const settlement = { id: `setl_${randomUUID()}`, amount: 50_000, status: 'processed', created_at: at };
    api.razorpay.settlements.push(settlement);
    api.razorpay.settled.push({
      ...{ entity_id: payment.id, type: 'payment', amount: 51_180, debit: 0, credit: 50_000 },
      ...{ settlement_id: settlement.id, settled_at: at },
    });
    await compare();
    expect([await exceptionsOf(api, payment.id), await exceptionsOf(api, settlement.id)]).toEqual([[], []]);
  });

  it('a later change of the amount at the provider is a difference', async () => {
    const payment = await paid();
    payment.amount = 50_000;
    await compare();
    expect(await open(payment.id)).toMatchObject([{ kind: 'payment_missing', booked_paise: -1_180 }]);
    payment.amount = 51_180;
    await compare();
    expect(await open(payment.id)).toEqual([]);
  });
});
