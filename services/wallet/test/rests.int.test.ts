/** A rest of a wallet is too small for a refund; its owner may give it up. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { deletionRpc } from '@karaar/contracts/personal-data';
import type { Payment } from '@karaar/testing/providers/razorpay';
import type { WorldUser } from '@karaar/testing/service-world';
import { giveUpRest } from '../src/features/rests/rests.service.ts';
import { debitOf, startApi, type Answer, type Api } from './api.ts';
import { systemBalance } from './exceptions.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
let payment: Payment;
let admin: { headers: { authorization: string } };

beforeAll(async () => {
  api = await startApi('wallet-rests');
  admin = { headers: await api.world.adminHeaders() };
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  Object.assign(api.razorpay, { mode: 'normal', takesRefunds: 'processed' });
  user = await api.world.addUser('Asha Rao');
  payment = api.razorpay.pay(await api.order(user, 10));
  await api.verify(user, api.razorpay.checkoutOf(payment));
  await api.debit(debitOf(user, 9.6));
});
afterEach(() => api.sound());

const giveUp = (
  amount: unknown,
  idempotency_key: unknown = randomUUID(),
  as: WorldUser = user,
): Promise<Answer> => api.call(as, 'POST', '/wallet/give-up', { amount, idempotency_key });
const refund = (amount: number) =>
  api.call(admin, 'POST', '/admin/wallet/refunds', {
    ...{ payment_id: payment.id, amount, reason: 'Asked for it' },
    idempotency_key: randomUUID(),
  });
const blockers = async () =>
  (await api.world.ask(deletionRpc.wallet, { user_id: user.userId }, 'auth')).blockers;

it('a rest is refused by the card provider, and blocks the deletion of the account until its owner gives it up', async () => {
  expect((await refund(0.4)).body).toMatchObject({ status: 'failed' });
  expect(await api.balance(user)).toBe(0.4);
  expect(await blockers()).toEqual([
    { code: 'wallet_rest', text: expect.stringContaining('₹0.40'), amount: 0.4 },
  ]);
  const before = await systemBalance(api, 'given_up');
  expect(await giveUp(0.4)).toEqual({ status: 200, body: { balance: 0 } });
  expect((await systemBalance(api, 'given_up')) - before).toBe(40);
  expect(await blockers()).toEqual([]);
  expect((await api.transactions(user))[0]).toMatchObject({
    type: 'debit',
    amount: 0.4,
    description: 'Rest given up',
  });
});

it('a rest is given up once per key, even by simultaneous callers and after a lost answer', async () => {
  const key = randomUUID();
  const before = await systemBalance(api, 'given_up');
  const answers = await Promise.all(Array.from({ length: 10 }, () => giveUp(0.4, key)));
  expect(answers).toEqual(Array.from(answers, () => ({ status: 200, body: { balance: 0 } })));
  await api.topUp(user, 10);
  expect(await giveUp(0.4, key)).toEqual({ status: 200, body: { balance: 0 } });
  expect(await giveUp(0.5, key)).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } });
  expect([await api.balance(user), (await systemBalance(api, 'given_up')) - before]).toEqual([10, 40]);
});

it('a rest is given up by only one of ten requests with different keys', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => giveUp(0.4)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body['code'])).toEqual(
    Array.from({ length: 9 }, () => 'rest_changed'),
  );
});

it('a rest is given up or spent, and not both', async () => {
  const [given, spent] = await Promise.all([
    giveUp(0.4),
    api.debit(debitOf(user, 0.4)).then(
      () => true,
      () => false,
    ),
  ]);
  expect([given.status === 200, spent].filter(Boolean)).toHaveLength(1);
  expect(await api.balance(user)).toBe(0);
});

it('a rest is given up once if the process ends after the commit', async () => {
  const key = randomUUID();
  // The caller does not get this answer.
  await giveUpRest(api.ctx, user.userId, { amount: 0.4, idempotencyKey: key });
  expect(await giveUp(0.4, key)).toEqual({ status: 200, body: { balance: 0 } });
  expect(await api.transactions(user)).toHaveLength(3);
});

it('a rest is given up only in full, with the amount that its owner has seen, and only below ₹1', async () => {
  for (const amount of [0.39, 0.41, 0.99])
    expect(await giveUp(amount)).toMatchObject({ status: 409, body: { code: 'rest_changed' } });
  for (const amount of [0, -0.4, 1, 1.4, 0.005, 0.333, '0.4', null, undefined])
    expect({ amount, status: (await giveUp(amount)).status }).toEqual({ amount, status: 422 });
  for (const key of ['short', 'k'.repeat(101), 7, null])
    expect({ key, status: (await giveUp(0.4, key)).status }).toEqual({ key, status: 422 });
  await api.topUp(user, 1);
  expect(await giveUp(0.4)).toMatchObject({ status: 409, body: { code: 'rest_changed' } });
  expect((await blockers()).map(({ code }) => code)).toEqual(['wallet_not_empty']);
  expect(await api.balance(user)).toBe(1.4);
});

it('a rest cannot be given up by another user or without a user’s token', async () => {
  const stranger = await api.world.addUser('Vikram Shah');
  expect(await giveUp(0.4, randomUUID(), stranger)).toMatchObject({
    status: 409,
    body: { code: 'rest_changed' },
  });
  const body = { amount: 0.4, idempotency_key: randomUUID() };
  expect((await api.call(admin, 'POST', '/wallet/give-up', body)).status).toBe(403);
  expect((await api.call(undefined, 'POST', '/wallet/give-up', body)).status).toBe(401);
  // A key of another user is a different key.
  expect((await giveUp(0.4, body.idempotency_key)).status).toBe(200);
  expect(await giveUp(0.4, body.idempotency_key, stranger)).toMatchObject({ status: 409 });
  expect(await api.balance(user)).toBe(0);
});

describe('a rest is not given up while other money could make it refundable, during', () => {
  const underWay = {
    status: 409,
    body: { code: 'money_under_way', detail: expect.stringContaining('under way') },
  };

  it('a refund that may come back', async () => {
    await api.topUp(user, 5);
    api.razorpay.takesRefunds = 'pending';
    await refund(5);
    expect(await api.balance(user)).toBe(0.4);
    expect(await giveUp(0.4)).toMatchObject(underWay);
    const taken = api.razorpay.refunds.at(-1);
    if (!taken) throw new Error('The provider has no refund');
    await api.deliver(api.razorpay.webhookOf('refund.failed', { refund: { ...taken, status: 'failed' } }));
    expect(await giveUp(0.4)).toMatchObject({ body: { code: 'rest_changed' } });
    expect(await api.balance(user)).toBe(5.4);
  });

  it('a disputed payment', async () => {
    const other = api.razorpay.pay(await api.order(user, 20));
    await api.verify(user, api.razorpay.checkoutOf(other));
    const dispute = {
      id: `disp_${randomUUID()}`,
      payment_id: other.id,
      amount: 2_000,
      status: 'open' as const,
    };
    await api.deliver(api.razorpay.webhookOf('payment.dispute.created', { dispute }));
    expect(await api.balance(user)).toBe(0.4);
    expect(await giveUp(0.4)).toMatchObject(underWay);
    expect((await blockers()).map(({ code }) => code)).toEqual(['wallet_rest', 'top_up_under_way']);
  });

  it('a payment, or its reversal', async () => {
    api.payments.set(user.userId, [{ code: 'reversal_under_way', text: 'A payment is to be given back.' }]);
    expect(await giveUp(0.4)).toMatchObject(underWay);
    expect(await api.balance(user)).toBe(0.4);
    api.payments.clear();
    const key = randomUUID();
    expect((await giveUp(0.4, key)).status).toBe(200);
    api.payments.set(user.userId, [{ code: 'payment_under_way', text: 'A payment is under way.' }]);
    expect((await giveUp(0.4, key)).status).toBe(200);
  });

  it('a top-up that a bank has approved, or an outage of the provider', async () => {
    const approved = api.razorpay.pay(await api.order(user, 20), { status: 'authorized' });
    expect(await giveUp(0.4)).toMatchObject(underWay);
    approved.status = 'failed';
    api.razorpay.mode = 'error';
    expect(await giveUp(0.4)).toMatchObject(underWay);
    api.razorpay.mode = 'normal';
    expect((await giveUp(0.4)).status).toBe(200);
  });
});
