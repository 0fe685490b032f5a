import { jest } from '@jest/globals';
import { deletionRpc } from '@karaar/contracts/personal-data';
import { PROVIDER_TIMEOUT_MS } from '@karaar/testing/providers/razorpay';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { sql } from 'kysely';
import { reconcile } from '../src/features/provider-updates/reconciler.ts';
import { startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  api = await startApi('wallet-top-up');
  asha = await api.world.addUser('Asha Rao');
  vikram = await api.world.addUser('Vikram Shah');
}, 120_000);
afterAll(async () => {
  try {
    await api.sound();
  } finally {
    await api.stop();
  }
});
beforeEach(() => {
  api.razorpay.mode = 'normal';
});

const newUser = (): Promise<WorldUser> => api.world.addUser('Meera Nair');
const createOrder = (user: WorldUser, body: unknown) =>
  api.call(user, 'POST', '/wallet/create-razorpay-order', body);
const addFunds = (user: WorldUser, body: unknown) => api.call(user, 'POST', '/wallet/add-funds', body);
const status = (user: WorldUser, id: string) => api.call(user, 'GET', `/wallet/order-status/${id}`);
const flip = (hex: string) => (hex.startsWith('0') ? `1${hex.slice(1)}` : `0${hex.slice(1)}`);

describe('a top-up order', () => {
  it('[WALLET-017] is opened at the provider in paise, and returns the data for the checkout', async () => {
    const answer = await createOrder(asha, { amount: 250.5 });
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        order: { id: expect.stringMatching(/^order_/), amount: 25_050, currency: 'INR' },
        key_id: api.razorpay.env['RAZORPAY_KEY_ID'],
        checkout_url: 'http://localhost/checkout.js',
      },
    });
    const { id } = answer.body['order'] as { id: string };
    expect(api.razorpay.orders.get(id)).toMatchObject({ amount: 25_050, currency: 'INR' });
  });

  it('[WALLET-018] accepts ₹1 to ₹1,00,000 with two decimals and nothing else', async () => {
    for (const [amount, paise] of [
      [1, 100],
      [1.01, 101],
      [0.1 + 0.2 + 1, 130],
      [99_999.99, 9_999_999],
      [100_000, 10_000_000],
    ] as const) {
      const { body } = await createOrder(asha, { amount });
      expect(body['order']).toMatchObject({ amount: paise });
    }
    const known = api.razorpay.orders.size;
    for (const amount of [
      undefined,
      null,
      '',
      'ten',
      true,
      [5],
      0,
      -1,
      0.99,
      1.001,
      5_000.999,
      100_000.01,
      100_001,
      1e300,
    ]) {
      const answer = await createOrder(asha, { amount });
      refused({ amount, ...answer }, 422, 'amount');
    }
    refused(await createOrder(asha, undefined), 422, 'amount');
    expect(api.razorpay.orders.size).toBe(known);
  });

  it('[WALLET-023] [WALLET-024] [WALLET-025] shows its state to its owner only', async () => {
    const id = await api.order(asha, 40);
    expect(await status(asha, id)).toEqual({
      status: 200,
      body: { order_id: id, status: 'created', amount: 40, created_at: expect.stringMatching(/^\d{4}-/) },
    });
    refused(await status(vikram, id), 404);
    refused(await status(asha, 'order_unknown'), 404);
    await api.verify(asha, api.razorpay.checkoutOf(api.razorpay.pay(id)));
    expect((await status(asha, id)).body['status']).toBe('paid');
  });
});

describe('verifying a checkout', () => {
  it('[WALLET-019] [WALLET-031] credits the order once for a valid signature, a coin for a rupee, however often it comes', async () => {
    const user = await newUser();
    const checkout = api.razorpay.checkoutOf(api.razorpay.pay(await api.order(user, 123.45)));
    const first = await api.verify(user, checkout);
    expect(first).toEqual({
      status: 200,
      body: { success: true, message: expect.stringMatching(/\p{L}/u), balance: 123.45 },
    });
    expect(await api.verify(user, checkout)).toEqual(first);
    expect(await api.balance(user)).toBe(123.45);
    expect(await api.transactions(user)).toHaveLength(1);
  });

  it('[WALLET-019] [WALLET-036] credits once for twenty simultaneous calls', async () => {
    const user = await newUser();
    const checkout = api.razorpay.checkoutOf(api.razorpay.pay(await api.order(user, 10)));
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.verify(user, checkout)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await api.balance(user)).toBe(10);
    expect(await api.transactions(user)).toHaveLength(1);
  });

  it('[WALLET-020] credits nothing for a wrong signature', async () => {
    const user = await newUser();
    const id = await api.order(user, 10);
    const right = api.razorpay.checkoutOf(api.razorpay.pay(id));
    const other = api.razorpay.checkoutOf(api.razorpay.pay(await api.order(user, 20)));
    for (const razorpay_signature of [
      flip(right.razorpay_signature),
      right.razorpay_signature.slice(0, -2),
      other.razorpay_signature,
      'x',
      '0'.repeat(64),
    ]) {
      const answer = await api.verify(user, { ...right, razorpay_signature });
      refused({ razorpay_signature, ...answer }, 400);
      expect(answer.body['code']).toBe('signature_wrong');
    }
    refused(await api.verify(user, { ...right, razorpay_payment_id: other.razorpay_payment_id }), 400);
    expect(await api.balance(user)).toBe(0);
    expect((await status(user, id)).body['status']).toBe('created');
  });

  it('credits only captured payments: an approved one waits until it is captured', async () => {
    const user = await newUser();
    const id = await api.order(user, 10);
    expect(api.razorpay.orders.get(id)?.payment).toMatchObject({
      capture: 'automatic',
      capture_options: { automatic_expiry_period: 7_200 },
    });
    const payment = api.razorpay.pay(id, { status: 'authorized' });
    const checkout = api.razorpay.checkoutOf(payment);
    expect(await api.verify(user, checkout)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_captured' },
    });
    expect([await api.balance(user), (await status(user, id)).body['status']]).toEqual([0, 'created']);
    const { db } = api.service.foundation;
    await sql`
      UPDATE top_up_orders SET created_at = now() - interval '5 days', next_check_at = now()
      WHERE id = ${id}`.execute(db);
    payment.status = 'captured';
    await reconcile(api.ctx);
    expect(await api.balance(user)).toBe(10);
    expect((await api.verify(user, checkout)).status).toBe(200);
    expect(await api.balance(user)).toBe(10);
  });

  it('waits for its owner until it is paid, then for the provider until it is credited', async () => {
    const user = await newUser();
    const waiting = async (of: WorldUser) => {
      const { status: code, body } = await api.call(of, 'GET', '/wallet/waiting-top-ups');
      expect([code, body['key_id']]).toEqual([200, api.razorpay.env['RAZORPAY_KEY_ID']]);
      return body['top_ups'] as unknown[];
    };
    expect(await waiting(user)).toEqual([]);
    const id = await api.order(user, 10);
    const topUp = (state: string) => ({
      order: { id, amount: 1_000, currency: 'INR' },
      state,
      created_at: expect.any(String) as unknown,
    });
    expect(await waiting(user)).toEqual([topUp('unfinished')]);
    expect(await waiting(vikram)).toEqual([]);
    const payment = api.razorpay.pay(id, { status: 'authorized' });
    await api.verify(user, api.razorpay.checkoutOf(payment));
    expect(await waiting(user)).toEqual([topUp('arriving')]);
    payment.status = 'captured';
    api.razorpay.mode = 'reset';
    expect((await api.verify(user, api.razorpay.checkoutOf(payment))).status).toBe(503);
    expect(await waiting(user)).toEqual([topUp('arriving')]);
    api.razorpay.mode = 'normal';
    await api.verify(user, api.razorpay.checkoutOf(payment));
    expect(await waiting(user)).toEqual([]);
  });

  it('credits nothing for a signed payment that failed, is unknown or belongs to another order', async () => {
    const user = await newUser();
    const id = await api.order(user, 10);
    const failed = api.razorpay.pay(id, { status: 'failed' });
    expect((await api.verify(user, api.razorpay.checkoutOf(failed))).status).toBe(409);
    const other = api.razorpay.pay(await api.order(user, 20));
    for (const payment of [
      { ...other, order_id: id },
      { ...failed, id: 'pay_unknown' },
    ])
      expect(await api.verify(user, api.razorpay.checkoutOf(payment))).toMatchObject({
        status: 400,
        body: { code: 'signature_wrong' },
      });
    expect(await api.balance(user)).toBe(0);
  });

  it('[WALLET-021] needs all three parts', async () => {
    const full = api.razorpay.checkoutOf(api.razorpay.pay(await api.order(asha, 10)));
    for (const name of ['razorpay_order_id', 'razorpay_payment_id', 'razorpay_signature'] as const) {
      for (const checkout of [
        { ...full, [name]: undefined },
        { ...full, [name]: '' },
      ]) {
        refused(await api.verify(asha, checkout), 422, name);
      }
    }
  });

  it('[WALLET-022] answers 404 for unknown orders and those of other users, even with a valid signature', async () => {
    const [user, thief] = [await newUser(), await newUser()];
    const id = await api.order(user, 10);
    const checkout = api.razorpay.checkoutOf(api.razorpay.pay(id));
    const unknown = api.razorpay.checkoutOf(api.razorpay.pay('order_unknown'));
    for (const stranger of [checkout, unknown]) refused(await api.verify(thief, stranger), 404);
    expect([await api.balance(user), await api.balance(thief)]).toEqual([0, 0]);
  });

  it('refuses a second payment of a paid order', async () => {
    const user = await newUser();
    const id = await api.order(user, 10);
    expect((await api.verify(user, api.razorpay.checkoutOf(api.razorpay.pay(id)))).status).toBe(200);
    expect(await api.verify(user, api.razorpay.checkoutOf(api.razorpay.pay(id)))).toMatchObject({
      status: 409,
      body: { code: 'order_already_paid' },
    });
    expect(await api.balance(user)).toBe(10);
  });
});

describe('adding funds by a receipt', () => {
  it('[WALLET-026] [WALLET-029] [WALLET-030] credits a captured payment of the caller once', async () => {
    const user = await newUser();
    const payment = api.razorpay.pay(await api.order(user, 75.25));
    const body = { amount: 75.25, payment_receipt: payment.id };
    expect(await addFunds(user, body)).toEqual({
      status: 200,
      body: { success: true, message: expect.stringMatching(/\p{L}/u), balance: 75.25 },
    });
    expect(await addFunds(user, body)).toMatchObject({ status: 409, body: { code: 'already_credited' } });
    expect((await api.verify(user, api.razorpay.checkoutOf(payment))).status).toBe(200);
    expect(await api.balance(user)).toBe(75.25);
  });

  it('[WALLET-030] credits once for ten simultaneous calls', async () => {
    const user = await newUser();
    const payment = api.razorpay.pay(await api.order(user, 5));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => addFunds(user, { amount: 5, payment_receipt: payment.id })),
    );
    const codes = answers.map(({ status, body }) => `${status} ${(body as { code?: string }).code ?? ''}`);
    expect(codes.toSorted()).toEqual(['200 ', ...Array.from({ length: 9 }, () => '409 already_credited')]);
    expect(await api.balance(user)).toBe(5);
  });

  it('[WALLET-029] refuses an uncaptured payment, another user’s, an unknown one, and another amount', async () => {
    const [user, thief] = [await newUser(), await newUser()];
    const id = await api.order(user, 60);
    const captured = api.razorpay.pay(id);
    const open = api.razorpay.pay(id, { status: 'authorized' });
    const failed = api.razorpay.pay(id, { status: 'failed' });
    const foreign = api.razorpay.pay('order_of_another_shop');
    const receipt = (payment_receipt: string, amount = 60) => ({ amount, payment_receipt });
    for (const [caller, payment] of [
      [thief, captured.id],
      ...[open.id, failed.id, foreign.id, 'pay_unknown', id].map((each) => [user, each] as const),
    ] as const) {
      expect(await addFunds(caller, receipt(payment))).toMatchObject({
        status: 404,
        body: { code: 'receipt_not_found' },
      });
    }
    for (const amount of [59.99, 61]) {
      expect(await addFunds(user, receipt(captured.id, amount))).toMatchObject({
        status: 409,
        body: { code: 'amount_differs' },
      });
    }
    expect([await api.balance(user), await api.balance(thief)]).toEqual([0, 0]);
  });

  it("never lets a receipt change the provider's URL", async () => {
    const id = await api.order(asha, 60);
    api.razorpay.pay(id);
    api.razorpay.calls.length = 0;
    for (const payment_receipt of [`../orders/${id}/payments`, '?count=1', 'pay_1/refund', 'pay%2f1', '.']) {
      expect((await addFunds(asha, { amount: 60, payment_receipt })).status).toBe(404);
    }
    expect(api.razorpay.calls).toEqual([]);
  });

  it('[WALLET-027] needs amount and receipt', async () => {
    refused(await addFunds(asha, { amount: 10 }), 422, 'payment_receipt');
    refused(await addFunds(asha, { payment_receipt: 'pay_1' }), 422, 'amount');
    for (const body of [{}, undefined]) refused(await addFunds(asha, body), 422, 'amount', 'payment_receipt');
    for (const amount of [0, -5, 100_001, 5_000.999, 'x']) {
      const answer = await addFunds(asha, { amount, payment_receipt: 'pay_1' });
      expect({ amount, status: answer.status }).toEqual({ amount, status: 422 });
    }
  });
});

describe('with the provider down, a top-up', () => {
  const rows = async () =>
    (
      await api.service.foundation.db
        .selectFrom('top_up_orders')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;

  it('is answered 503 within the deadline and leaves nothing half-written', async () => {
    const user = await newUser();
    const payment = api.razorpay.pay(await api.order(user, 9));
    const before = await rows();
    for (const mode of ['reset', 'silent', 'error', 'page', 'keys'] as const) {
      api.razorpay.mode = mode;
      const started = Date.now();
      const answers = await Promise.all([
        createOrder(user, { amount: 9 }),
        addFunds(user, { amount: 9, payment_receipt: payment.id }),
      ]);
      const away = {
        status: 503,
        body: { detail: expect.stringContaining('not available'), code: 'card_provider_unavailable' },
      };
      expect(answers).toEqual([away, away]);
      // The machine may be busy.
      expect(Date.now() - started).toBeLessThan(PROVIDER_TIMEOUT_MS + 5_000);
    }
    expect(await rows()).toBe(before);
    expect(await api.balance(user)).toBe(0);
    // The capture cannot be confirmed now; the answer tells the payer not to pay again.
    expect(await api.verify(user, api.razorpay.checkoutOf(payment))).toMatchObject({
      status: 503,
      body: { code: 'payment_unchecked', detail: expect.stringContaining('do not pay again') },
    });
    api.razorpay.mode = 'normal';
    expect((await api.verify(user, api.razorpay.checkoutOf(payment))).status).toBe(200);
    expect((await createOrder(user, { amount: 9 })).status).toBe(200);
  });
});

describe('the deletion of an account', () => {
  const blockers = async (user: WorldUser) =>
    (await api.world.ask(deletionRpc.wallet, { user_id: user.userId }, 'auth')).blockers.map(
      ({ code }) => code,
    );

  it('is not blocked by an abandoned top-up, but by one that a bank has approved', async () => {
    const user = await newUser();
    const id = await api.order(user, 10);
    api.razorpay.pay(id, { status: 'failed' });
    expect(await blockers(user)).toEqual([]);
    api.razorpay.mode = 'error';
    expect(await blockers(user)).toEqual(['top_up_under_way']);
    api.razorpay.mode = 'normal';
    const payment = api.razorpay.pay(id, { status: 'authorized' });
    expect(await blockers(user)).toEqual(['top_up_under_way']);
    payment.status = 'failed';
    expect(await blockers(user)).toEqual([]);
    // The provider has reported the failed attempt; another attempt is in progress.
    const again = api.razorpay.pay(id, { status: 'authorized' });
    await api.deliver(api.razorpay.webhook('payment.failed', payment));
    expect(await blockers(user)).toEqual(['top_up_under_way']);
    again.status = 'failed';
    expect(await blockers(user)).toEqual([]);
  });
});
