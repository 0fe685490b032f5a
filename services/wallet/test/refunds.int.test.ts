import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { listIn } from '@karaar/testing/list-in';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { startApi, type Answer, type Api } from './api.ts';
import { debit } from '../src/features/ledger/ledger.repository.ts';
import { sweepRefunds } from '../src/features/refunds/carry-out.service.ts';
import type { Payment } from '@karaar/testing/providers/razorpay';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;
let admin: { headers: { authorization: string } };
let payment: Payment;

beforeAll(async () => {
  api = await startApi('wallet-refunds');
  admin = { headers: await api.world.adminHeaders() };
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
  payment = api.razorpay.pay(await api.order(user, 100));
  await api.verify(user, api.razorpay.checkoutOf(payment));
});

const refund = (change: Record<string, unknown> = {}): Promise<Answer> =>
  api.call(admin, 'POST', '/admin/wallet/refunds', {
    payment_id: payment.id,
    amount: 40,
    reason: 'Paid twice by mistake',
    idempotency_key: randomUUID(),
    ...change,
  });
const sentBack = () =>
  api.razorpay.refunds.filter(({ payment_id }) => payment_id === payment.id).map(({ amount }) => amount);
async function sweep(): Promise<void> {
  const { db } = api.service.foundation;
  await db
    .updateTable('refunds')
    .set({ next_check_at: new Date(0), lease_until: null })
    .where('status', '=', 'pending')
    .execute();
  await sweepRefunds(api.ctx);
}
const stateOf = async (id: unknown) => {
  const { body } = await api.call(admin, 'GET', `/admin/wallet/refunds?payment_id=${payment.id}`);
  return listIn<Record<string, unknown>>(body).find((one) => one['refund_id'] === id)?.['status'];
};

describe('a refund', () => {
  it('leaves the wallet and reaches the card, in parts, up to the payment and not beyond', async () => {
    const first = await refund();
    expect(first).toEqual({
      status: 201,
      body: {
        refund_id: expect.any(String),
        order_id: payment.order_id,
        payment_id: payment.id,
        user_id: user.userId,
        amount: 40,
        reason: 'Paid twice by mistake',
        status: 'processed',
        created_at: expect.any(String),
      },
    });
    expect(await api.balance(user)).toBe(60);
    expect(await refund({ amount: 60.01 })).toMatchObject({
      status: 409,
      body: { code: 'refund_beyond_payment', detail: expect.stringContaining('₹60.00') },
    });
    expect((await refund({ amount: 60 })).status).toBe(201);
    expect([await api.balance(user), sentBack()]).toEqual([0, [4_000, 6_000]]);
    expect((await api.transactions(user))[0]).toMatchObject({ type: 'debit', description: 'Refund to card' });
  });

  it('can take the rest of a wallet; the provider refuses less than a rupee, and the money returns', async () => {
    expect((await refund({ amount: 99.6 })).status).toBe(201);
    expect(await refund({ amount: 0.4 })).toMatchObject({ status: 201, body: { status: 'failed' } });
    expect([await api.balance(user), sentBack()]).toEqual([0.4, [9_960]]);
    for (const amount of [0, 0.001, -1])
      expect({ amount, status: (await refund({ amount })).status }).toEqual({ amount, status: 422 });
  });

  it('takes no more than the wallet holds', async () => {
    await api.debit({
      idempotency_key: randomUUID(),
      user_id: user.userId,
      amount_paise: 7_000,
      description: 'Payment',
      reference: 'doc',
    });
    expect(await refund()).toMatchObject({
      status: 409,
      body: { code: 'refund_beyond_balance', detail: expect.stringContaining('₹30.00') },
    });
    expect([await api.balance(user), sentBack()]).toEqual([30, []]);
    // Another key, as the client sends when the user tries again after a top-up.
    expect((await refund({ amount: 30 })).status).toBe(201);
  });

  it('takes no more than the wallet holds, even if the money is spent at the same moment', async () => {
    const { db } = api.service.foundation;
    let answer: Promise<Answer> | undefined;
    await db.transaction().execute(async (tx) => {
      await debit(tx, {
        idempotencyKey: randomUUID(),
        userId: user.userId,
        amountPaise: 7_000,
        description: 'Payment',
        reference: 'doc',
      });
      // The refund reads the old balance and waits for the account that this transaction has locked.
      answer = refund();
      await until('the refund to wait', async () => {
        const { rows } = await sql<{ waits: number }>`
          SELECT count(*)::int AS waits FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
        return (rows[0]?.waits ?? 0) > 0;
      });
    });
    expect(await answer).toMatchObject({
      status: 409,
      body: { code: 'refund_beyond_balance', detail: expect.stringContaining('₹30.00') },
    });
    expect([await api.balance(user), sentBack()]).toEqual([30, []]);
  });

  it('has one effect per key, even for simultaneous callers, and refuses the key for another refund', async () => {
    const idempotency_key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund({ idempotency_key })));
    expect(new Set(answers.map(({ body }) => body['refund_id'])).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await refund({ idempotency_key, amount: 41 })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect([await api.balance(user), sentBack()]).toEqual([60, [4_000]]);
  });

  it('goes through once if two simultaneous ones exceed the payment', async () => {
    const both = await Promise.all([refund({ amount: 80 }), refund({ amount: 80 })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect([await api.balance(user), sentBack()]).toEqual([20, [8_000]]);
  });

  it.each(['reset', 'error', 'silent', 'page'] as const)(
    'stays on its way while the provider is away (%s), and is finished later, once',
    async (mode) => {
      api.razorpay.mode = mode;
      const { status, body } = await refund();
      expect([status, body['status'], await api.balance(user)]).toEqual([201, 'pending', 60]);
      api.razorpay.mode = 'normal';
      await sweep();
      await sweep();
      expect([await stateOf(body['refund_id']), sentBack()]).toEqual(['processed', [4_000]]);
      expect(await api.balance(user)).toBe(60);
    },
  );

  it('whose answer was lost is found at the provider and not sent again', async () => {
    api.razorpay.mode = 'forgetful';
    const { body } = await refund();
    expect([body['status'], sentBack()]).toEqual(['pending', [4_000]]);
    api.razorpay.mode = 'normal';
    await sweep();
    expect([await stateOf(body['refund_id']), sentBack()]).toEqual(['processed', [4_000]]);
  });

  it('that the provider refuses for good returns to the wallet once', async () => {
    // The payment was refunded in the provider's dashboard, so nothing is left of it there.
    api.razorpay.refunds.push({
      id: `rfnd_${randomUUID()}`,
      payment_id: payment.id,
      amount: 10_000,
      receipt: null,
    });
    const { status, body } = await refund();
    expect([status, body['status']]).toEqual([201, 'failed']);
    await sweep();
    expect(await api.balance(user)).toBe(100);
    expect((await api.transactions(user))[0]).toMatchObject({ type: 'credit', amount: 40 });
  });

  it('is refused without a payment, a reason, an amount or a valid cursor', async () => {
    expect(await refund({ payment_id: 'pay_nothing' })).toMatchObject({
      status: 404,
      body: { code: 'payment_not_found' },
    });
    for (const change of [{ reason: '' }, { amount: 0 }, { amount: 1.005 }, { idempotency_key: 'x' }]) {
      expect((await refund(change)).status).toBe(422);
    }
    expect((await api.call(admin, 'GET', '/admin/wallet/refunds?cursor=x')).status).toBe(422);
    expect(sentBack()).toEqual([]);
  });

  it('is for admins only', async () => {
    const body = { payment_id: payment.id, amount: 1, reason: 'because', idempotency_key: randomUUID() };
    for (const [caller, status] of [
      [undefined, 401],
      [user, 403],
    ] as const) {
      expect((await api.call(caller, 'POST', '/admin/wallet/refunds', body)).status).toBe(status);
      expect((await api.call(caller, 'GET', '/admin/wallet/refunds')).status).toBe(status);
    }
    expect(sentBack()).toEqual([]);
  });
});

describe('the admins’ list of payments and the audit log', () => {
  type OutboxEvent = { type: string; aggregate_id: string; version: number; data: Record<string, unknown> };
  const eventsAbout = async (type: string, about: string): Promise<OutboxEvent[]> => {
    const { rows } = await sql<OutboxEvent>`
      SELECT type, aggregate_id, aggregate_version::int AS version, data FROM outbox
      WHERE type = ${type} AND (aggregate_id = ${about} OR data->>'target_id' = ${about})
      ORDER BY aggregate_version, id`.execute(api.service.foundation.db);
    return rows;
  };

  it('get each state of a top-up and a refund, with the admin and the reason', async () => {
    const { body } = await refund();
    const order = await eventsAbout('wallet.card.changed', payment.order_id);
    expect(order.map(({ version, data }) => [version, data['status'], data['payment_id']])).toEqual([
      [1, 'pending', null],
      [3, 'completed', payment.id],
    ]);
    const states = await eventsAbout('wallet.card.changed', String(body['refund_id']));
    expect(states.map(({ data }) => [data['type'], data['status'], data['amount_paise']])).toEqual([
      ['refund', 'pending', 4_000],
      ['refund', 'completed', 4_000],
    ]);
    expect(await eventsAbout('wallet.admin.acted', payment.id)).toMatchObject([
      { data: { action: 'refund.made', target: '₹40.00', reason: 'Paid twice by mistake' } },
    ]);
  });
});
