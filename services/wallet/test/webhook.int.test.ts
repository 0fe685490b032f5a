import { jest } from '@jest/globals';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { expireAbandoned, reconcile } from '../src/features/provider-updates/reconciler.ts';
import { startApi, type Api } from './api.ts';
import { SECRETS, type Webhook, type Payment } from '@karaar/testing/providers/razorpay';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;

beforeAll(async () => {
  api = await startApi('wallet-webhook');
}, 120_000);
afterAll(async () => {
  try {
    await api.sound();
  } finally {
    await api.stop();
  }
});
beforeEach(async () => {
  api.razorpay.mode = 'normal';
  user = await api.world.addUser('Asha Rao');
});

const captured = (payment: Payment, secret?: string) =>
  api.razorpay.webhook('payment.captured', payment, secret);
const failed = (payment: Payment) => api.razorpay.webhook('payment.failed', { ...payment, status: 'failed' });
const take = async (webhook: Webhook) => expect((await api.deliver(webhook)).status).toBe(200);
const statusOf = async (id: string) =>
  (await api.call(user, 'GET', `/wallet/order-status/${id}`)).body['status'];
const credits = async () => (await api.transactions(user)).length;
const makeDue = (...ids: string[]) =>
  api.service.foundation.db
    .updateTable('top_up_orders')
    .set({ next_check_at: new Date(0) })
    .where('id', 'in', ids)
    .execute();

describe('a webhook of the provider', () => {
  it('[WALLET-036] credits its order by the HMAC of the raw body, once for three deliveries', async () => {
    const id = await api.order(user, 42);
    const webhook = captured(api.razorpay.pay(id));
    for (let i = 0; i < 3; i += 1) {
      expect(await api.deliver(webhook)).toEqual({ status: 200, body: { received: true } });
    }
    expect([await api.balance(user), await credits(), await statusOf(id)]).toEqual([42, 1, 'paid']);
  });

  it('comes as payment.captured and order.paid for one payment, and counts once', async () => {
    const payment = api.razorpay.pay(await api.order(user, 7));
    await Promise.all([
      api.deliver(captured(payment)),
      api.deliver(api.razorpay.webhook('order.paid', payment)),
    ]);
    expect([await api.balance(user), await credits()]).toEqual([7, 1]);
  });

  it('is accepted with the old secret too during a rotation', async () => {
    const webhook = captured(api.razorpay.pay(await api.order(user, 8)), SECRETS.old);
    expect((await api.deliver(webhook)).status).toBe(200);
    expect(await api.balance(user)).toBe(8);
  });

  it('is refused if its signature is missing, wrong, of another key or of another body', async () => {
    const payment = api.razorpay.pay(await api.order(user, 9));
    const good = captured(payment);
    const { 'x-razorpay-signature': _, ...unsigned } = good.headers;
    for (const webhook of [
      { ...good, headers: unsigned },
      { ...good, headers: { ...good.headers, 'x-razorpay-signature': '00'.repeat(32) } },
      captured(payment, 'a secret that was never ours'),
      captured(payment, String(api.razorpay.env['RAZORPAY_KEY_SECRET'])),
      { ...good, body: good.body.replace('900', '90000') },
      // The same JSON in other bytes.
      { ...good, body: JSON.stringify(JSON.parse(good.body)) },
    ]) {
      expect(await api.deliver(webhook)).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
    }
    expect(await api.balance(user)).toBe(0);
  });

  it('is refused if it is signed but malformed; other events are acknowledged', async () => {
    const other = api.razorpay.webhook('refund.processed', api.razorpay.pay(await api.order(user, 9)));
    expect((await api.deliver(other)).status).toBe(200);
    const garbage = api.razorpay.webhook('payment.captured', {} as Payment);
    expect(await api.deliver(garbage)).toMatchObject({ status: 400, body: { code: 'webhook_malformed' } });
    expect(await api.balance(user)).toBe(0);
  });

  it('credits nothing if amount or currency differ from the order, or the order is unknown', async () => {
    const id = await api.order(user, 10);
    for (const webhook of [
      captured(api.razorpay.pay(id, { amount: 100_000 })),
      captured(api.razorpay.pay(id, { amount: 999 })),
      captured(api.razorpay.pay(id, { currency: 'USD' })),
      captured(api.razorpay.pay('order_of_another_shop')),
    ]) {
      // Acknowledged, since sending it again would not help.
      expect((await api.deliver(webhook)).status).toBe(200);
    }
    expect([await api.balance(user), await statusOf(id)]).toEqual([0, 'created']);
    expect((await api.deliver(captured(api.razorpay.pay(id)))).status).toBe(200);
    expect(await api.balance(user)).toBe(10);
  });

  it('never takes an order backwards: failed before captured, failed after captured, captured late', async () => {
    const id = await api.order(user, 11);
    const first = api.razorpay.pay(id, { status: 'failed' });
    await take(failed(first));
    expect(await statusOf(id)).toBe('failed');
    await take(captured(api.razorpay.pay(id)));
    expect([await statusOf(id), await api.balance(user)]).toEqual(['paid', 11]);
    await take(failed(first));
    expect([await statusOf(id), await api.balance(user)]).toEqual(['paid', 11]);

    // A week later, when the reconciler no longer checks it.
    const late = await api.order(user, 12);
    await sql`UPDATE top_up_orders SET created_at = now() - interval '7 days' WHERE id = ${late}`.execute(
      api.service.foundation.db,
    );
    await take(captured(api.razorpay.pay(late)));
    expect([await statusOf(late), await api.balance(user)]).toEqual(['paid', 23]);
  });
});

describe('all ways of crediting one payment', () => {
  it('[WALLET-036] [WALLET-037] credit once in a race of verify, triple webhooks, forged ones, receipt and reconciler', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const id = await api.order(user, 20);
      const payment = api.razorpay.pay(id);
      const webhooks = [
        failed({ ...payment, id: 'pay_earlier' }),
        captured(payment),
        api.razorpay.webhook('order.paid', payment),
      ];
      const genuine = captured(payment);
      const tampered = { ...genuine, body: genuine.body.replace('2000', '200000') };
      await makeDue(id);
      const [forged] = await Promise.all([
        api.deliver(tampered),
        ...Array.from({ length: 4 }, () => api.verify(user, api.razorpay.checkoutOf(payment))),
        ...[1, 2, 3].flatMap(() => webhooks.map((webhook) => api.deliver(webhook))),
        api.call(user, 'POST', '/wallet/add-funds', { amount: 20, payment_receipt: payment.id }),
        reconcile(api.ctx),
      ]);
      expect(forged.status).toBe(401);
      for (const webhook of webhooks.toReversed()) await take(webhook);
      expect([await api.balance(user), await credits(), await statusOf(id)]).toEqual([
        20 * round,
        round,
        'paid',
      ]);
    }
  });
});

describe('the reconciler', () => {
  it('[WALLET-037] credits a paid order whose callbacks were all lost, and leaves unpaid ones', async () => {
    const [paid, failedFirst, unpaid, refused] = [
      await api.order(user, 30),
      await api.order(user, 5),
      await api.order(user, 31),
      await api.order(user, 32),
    ];
    api.razorpay.pay(paid);
    api.razorpay.pay(failedFirst, { status: 'failed' });
    api.razorpay.pay(failedFirst);
    await api.deliver(failed(api.razorpay.pay(failedFirst, { status: 'failed' })));
    api.razorpay.pay(unpaid, { status: 'authorized' });
    api.razorpay.pay(refused, { amount: 100 });
    // Not due yet, because the callbacks come first.
    expect(await reconcile(api.ctx)).toBe(0);
    await makeDue(paid, failedFirst, unpaid, refused);
    expect(await reconcile(api.ctx)).toBe(2);
    expect(await api.balance(user)).toBe(35);
    expect(await Promise.all([paid, failedFirst, unpaid, refused].map(statusOf))).toEqual([
      'paid',
      'paid',
      'created',
      'created',
    ]);
    await makeDue(paid, failedFirst);
    expect(await reconcile(api.ctx)).toBe(0);
  });

  it('tries again while the provider is down', async () => {
    const id = await api.order(user, 6);
    api.razorpay.pay(id);
    for (const mode of ['reset', 'silent', 'page'] as const) {
      api.razorpay.mode = mode;
      await makeDue(id);
      expect(await reconcile(api.ctx)).toBe(0);
    }
    api.razorpay.mode = 'normal';
    await makeDue(id);
    expect(await reconcile(api.ctx)).toBe(1);
    expect(await api.balance(user)).toBe(6);
  });

  it('ends an abandoned top-up once, and credits a late payment of it', async () => {
    const [abandoned, failedOnce, young] = [
      await api.order(user, 7),
      await api.order(user, 8),
      await api.order(user, 9),
    ];
    await take(failed(api.razorpay.pay(failedOnce, { status: 'failed' })));
    await sql`UPDATE top_up_orders SET created_at = now() - interval '145 hours', next_check_at = now()
      WHERE id IN (${abandoned}, ${failedOnce})`.execute(api.service.foundation.db);
    await makeDue(young);
    expect(await expireAbandoned(api.ctx)).toBe(1);
    expect(await Promise.all([abandoned, failedOnce, young].map(statusOf))).toEqual([
      'failed',
      'failed',
      'created',
    ]);
    expect(await expireAbandoned(api.ctx)).toBe(0);
    const { rows } = await sql<{ status: string }>`
      SELECT data->>'status' AS status FROM outbox WHERE aggregate_id = ${abandoned} ORDER BY aggregate_version`.execute(
      api.service.foundation.db,
    );
    expect(rows.map(({ status }) => status)).toEqual(['pending', 'failed']);
    await take(captured(api.razorpay.pay(abandoned)));
    expect([await statusOf(abandoned), await api.balance(user)]).toEqual(['paid', 7]);
  });

  it('runs by itself in the service', async () => {
    const own = await startApi('wallet-reconciler', { RECONCILE_EVERY_MS: '100' });
    try {
      const payer = await own.world.addUser('Vikram Shah');
      const id = await own.order(payer, 3);
      own.razorpay.pay(id);
      await sql`UPDATE top_up_orders SET next_check_at = now()`.execute(own.service.foundation.db);
      await until('the order is credited', async () => (await own.balance(payer)) === 3);
      await own.sound();
    } finally {
      await own.stop();
    }
  });
});
