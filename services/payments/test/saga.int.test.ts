import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { uuidv7 } from '@karaar/db';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import fc from 'fast-check';
import { startApi, type Api } from './api.ts';
import type { WalletMode } from './stand-ins.ts';

jest.setTimeout(90_000);

let api: Api;
let asha: WorldUser;
let vikram: WorldUser;

beforeAll(async () => {
  api = await startApi('payments-saga', { SWEEP_EVERY_MS: '100', SWEEP_AFTER_MS: '400' });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [asha, vikram] = [await api.user('Asha Rao', 1_000), await api.user('Vikram Shah', 1_000)];
  api.wallet.next.length = 0;
  await api.wallet.start();
});

const shared = async (parties = [asha, vikram]) => {
  const id = api.document(parties);
  const each = 100 / parties.length;
  await api.distribute(
    parties[0] ?? asha,
    id,
    parties.map((party) => [party, each]),
  );
  return id;
};
const keysOf = (id: string) => [...api.wallet.debits.values()].filter((debit) => debit.reference === id);
const statusesOf = async (id: string) => (await api.payments(asha, id)).map((one) => one.status);
const isCompleted = (id: string) =>
  until('the payment is completed', async () => (await statusesOf(id)).includes('completed'));
const hasEvents = async (id: string, count: number) => {
  await until('the events are out', async () => (await api.events(id)).length >= count);
  return api.events(id);
};

describe('with the wallet down, a payment', () => {
  it('[PAY-057] is answered 503 within its deadline, stays pending and is completed once later', async () => {
    const id = await shared();
    await api.wallet.stop();
    const started = Date.now();
    expect(await api.pay(asha, id)).toEqual({
      status: 503,
      body: { detail: 'Wallet is not available right now. Please try again.', code: 'service_unavailable' },
    });
    // The deadline is 3 s; the machine may be busy.
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(await statusesOf(id)).toEqual(['pending']);
    expect((await api.calculate(asha, id)).payment_status).toBe('distributed');
    expect((await api.distribute(asha, id, [[asha, 100]])).status).toBe(409);

    await api.wallet.start();
    await isCompleted(id);
    expect(keysOf(id)).toHaveLength(1);
    expect((await api.pay(asha, id)).body).toMatchObject({ status: 'completed' });
    expect(await hasEvents(id, 1)).toHaveLength(1);
  });

  it('[PAY-057] is answered 503 if the wallet does not answer before or after the debit, and is debited once in the end', async () => {
    const [lost, away] = [await shared(), await shared()];
    // Each of the next two requests, perhaps the sweeper's, gets one of the modes.
    api.wallet.next.push('lost', 'away');
    const answers = await Promise.all([api.pay(asha, lost), api.pay(vikram, away)]);
    expect(answers.map((answer) => answer.status)).toEqual([503, 503]);
    for (const id of [lost, away]) {
      await isCompleted(id);
      expect(keysOf(id)).toHaveLength(1);
      expect(await hasEvents(id, 1)).toHaveLength(1);
    }
    expect(api.wallet.balances.get(asha.userId)).toBe(100_000 - 350);
    expect(api.wallet.balances.get(vikram.userId)).toBe(100_000 - 350);
  });

  it('[PAY-058] is retried by the payer under the same key, even while the sweeper retries too', async () => {
    const id = await shared();
    api.wallet.next.push('crash', 'crash', 'crash');
    await until('a try goes through', async () => (await api.pay(asha, id)).status === 200);
    expect(keysOf(id)).toHaveLength(1);
    expect(
      new Set(
        api.wallet.requestedDebits
          .filter((debit) => debit.reference === id)
          .map((debit) => debit.idempotency_key),
      ).size,
    ).toBe(1);
    expect(await hasEvents(id, 1)).toHaveLength(1);
  });

  it('[PAY-018] [PAY-057] fails if the wallet turns out to have refused it, and the next payment is a new one', async () => {
    const id = await shared();
    api.wallet.balances.set(asha.userId, 100);
    await api.wallet.stop();
    expect((await api.pay(asha, id)).status).toBe(503);
    await api.wallet.start();
    await until('it is known', async () => (await statusesOf(id))[0] === 'failed');
    api.wallet.balances.set(asha.userId, 1_000);
    expect((await api.pay(asha, id)).body).toMatchObject({ status: 'completed' });
    expect(await statusesOf(id)).toEqual(['completed', 'failed']);
    expect(keysOf(id)).toHaveLength(1);
  });
});

describe('a payer without money', () => {
  it('is refused after twenty payments in an hour, and nothing more is written', async () => {
    const id = await shared();
    api.wallet.balances.set(asha.userId, 0);
    for (let i = 0; i < 20; i += 1) expect((await api.pay(asha, id)).status).toBe(402);
    expect(await api.pay(asha, id)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(await statusesOf(id)).toHaveLength(20);
    const opened = await api.call(asha, 'POST', '/payments/create', { document_id: id });
    expect(opened.status).toBe(201);
    const confirmed = await api.call(asha, 'PUT', `/payments/${String(opened.body['_id'])}/confirm`);
    expect(confirmed).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect((await statusesOf(id)).filter((status) => status === 'failed')).toHaveLength(20);
    expect((await api.pay(vikram, id)).status).toBe(200);
  });
});

describe('with documents down, a payment', () => {
  it('is answered 503, and nothing is written', async () => {
    const id = await shared();
    await api.documents.stop();
    try {
      expect(await api.pay(asha, id)).toMatchObject({
        status: 503,
        body: { detail: 'Documents are not available right now. Please try again.' },
      });
      expect((await api.call(asha, 'POST', '/payments/create', { document_id: id })).status).toBe(503);
      const written = await api.service.foundation.db
        .selectFrom('payments')
        .selectAll()
        .where('document_id', '=', id)
        .execute();
      expect(written).toEqual([]);
    } finally {
      await api.documents.start();
    }
    expect((await api.pay(asha, id)).status).toBe(200);
  });
});

describe('a killed process', () => {
  const rowOf = (id: string) =>
    api.service.foundation.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const leave = async (id: string, started: boolean, debited: boolean, agoS = 60) => {
    const payment = {
      id: uuidv7(),
      document_id: id,
      document_name: 'Rent agreement',
      user_id: asha.userId,
      amount_paise: 350,
      status: 'pending' as const,
    };
    const { db } = api.service.foundation;
    await db.insertInto('payments').values(payment).execute();
    if (started) {
      const before = new Date(Date.now() - agoS * 1_000);
      // Stores the debit before the row, so that the sweeper finds the debit.
      if (debited) rememberDebit(payment.id, id);
      await db.updateTable('payments').set({ started_at: before }).where('id', '=', payment.id).execute();
    }
    return payment.id;
  };
  const rememberDebit = (payment: string, reference: string) =>
    api.wallet.debits.set(`payment:${payment}`, {
      idempotency_key: `payment:${payment}`,
      user_id: asha.userId,
      amount_paise: 350,
      description: 'Payment for Rent agreement',
      reference,
      transfer_id: randomUUID(),
    });

  it('[PAY-057] between debit and record has its payment completed by the existing debit', async () => {
    const id = await shared();
    const payment = await leave(id, true, true);
    await isCompleted(id);
    expect(keysOf(id)).toHaveLength(1);
    expect(await hasEvents(id, 1)).toMatchObject([
      {
        type: 'payments.payment.completed',
        aggregateId: payment,
        data: { payment_id: payment, user_id: asha.userId, amount_paise: 350, document_paid: false },
      },
    ]);
  });

  it('[PAY-057] between intent and debit has its payment completed by one debit', async () => {
    const id = await shared();
    await leave(id, true, false);
    await isCompleted(id);
    expect(keysOf(id)).toHaveLength(1);
    expect(api.wallet.balances.get(asha.userId)).toBe(100_000 - 350);
  });

  it.each([
    ['is not payable any more', (document: object) => Object.assign(document, { all_approved: false })],
    ['is not the payer’s any more', (document: object) => Object.assign(document, { involved_users: [] })],
  ])('has nothing debited if the document %s, and the key is refused from then on', async (_, change) => {
    const id = await shared();
    change(api.documents.known.get(id) ?? {});
    const payment = await leave(id, true, false);
    await until('it is given up', async () => (await rowOf(payment)).status === 'failed');
    expect([keysOf(id), api.wallet.balances.get(asha.userId)]).toEqual([[], 100_000]);
  });

  it('has an old payment given up, or completed if the debit had happened', async () => {
    const [id, debited] = [await shared(), await shared()];
    const [old, paid] = [await leave(id, true, false, 3_600), await leave(debited, true, true, 3_600)];
    await until('both are known', async () => {
      const rows = [await rowOf(old), await rowOf(paid)];
      return rows.map(({ status }) => status).join() === 'failed,completed';
    });
    expect([keysOf(id).length, keysOf(debited).length]).toEqual([0, 1]);
    expect(api.wallet.requestedDebits.filter(({ reference }) => reference === id)).toEqual([]);
  });

  it('keeps its payment pending after a refusal that does not prove that nothing was debited', async () => {
    const id = await shared();
    const payment = await leave(id, true, false);
    api.wallet.debits.set(`payment:${payment}`, {
      idempotency_key: `payment:${payment}`,
      user_id: asha.userId,
      amount_paise: 1,
      description: 'Another one',
      reference: id,
      transfer_id: randomUUID(),
    });
    await until('the wallet has refused it', () =>
      api.wallet.requestedDebits.some(({ reference }) => reference === id),
    );
    expect((await rowOf(payment)).status).toBe('pending');
    await api.service.foundation.db.deleteFrom('payments').where('id', '=', payment).execute();
  });

  it('[PAY-041] before the intent leaves its payment to the payer', async () => {
    const [id, other] = [await shared(), await shared()];
    const payment = await leave(id, false, false);
    await leave(other, true, false);
    await isCompleted(other);
    expect(await statusesOf(id)).toEqual(['pending']);
    expect((await api.pay(asha, id)).body).toMatchObject({ _id: payment, status: 'completed' });
  });
});

describe('events', () => {
  it('[PAY-056] are published once per payment; the last one says that the document is paid', async () => {
    const meera = await api.user('Meera Nair', 1_000);
    const parties = [asha, vikram, meera];
    const id = await shared(parties);
    await Promise.all(parties.flatMap((party) => [api.pay(party, id), api.pay(party, id)]));
    const events = await hasEvents(id, 3);
    expect(events.map((event) => event.data.user_id).sort()).toEqual(parties.map((p) => p.userId).sort());
    expect(events.filter((event) => event.data.document_paid)).toHaveLength(1);
    expect(events.reduce((sum, event) => sum + event.data.amount_paise, 0)).toBe(700);
  });
});

describe('money', () => {
  it('[PAY-057] [PAY-058] is conserved under any interleaving of payments, repeats, refusals and lost answers', async () => {
    const step = fc.record({
      payer: fc.integer({ min: 0, max: 2 }),
      mode: fc.constantFrom<WalletMode>('ok', 'crash', 'ok', 'crash', 'ok'),
      wait: fc.boolean(),
      topUp: fc.constantFrom(0, 0, 5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const payers = [await api.user('A', 1), await api.user('B', 5), await api.user('C', 0)];
        const [primary = asha] = payers;
        const id = api.document(payers);
        await api.distribute(primary, id, [
          [primary, 50],
          [payers[1] ?? asha, 30],
          [payers[2] ?? asha, 20],
        ]);
        const open: Promise<unknown>[] = [];
        for (const { payer, mode, wait, topUp } of steps) {
          const user = payers[payer] ?? primary;
          const balance = api.wallet.balances.get(user.userId) ?? 0;
          api.wallet.balances.set(user.userId, balance + topUp * 100);
          if (mode !== 'ok') api.wallet.next.push(mode);
          const paid = api.pay(user, id);
          open.push(paid);
          if (wait) await paid;
        }
        await Promise.all(open);
        await until('the sweeper has finished what was left', async () => {
          const payments = await api.payments(primary, id);
          return payments.every((payment) => payment.status !== 'pending');
        });
        const completed = (await api.payments(primary, id)).filter((one) => one.status === 'completed');
        const debits = keysOf(id);
        const linesOf = (all: { key: string; user: string; paise: number }[]) =>
          all.map((one) => `${one.key} ${one.user} ${one.paise}`).sort();
        expect(
          linesOf(
            completed.map((one) => ({
              key: `payment:${one._id}`,
              user: one.user_id,
              paise: Math.round(one.amount * 100),
            })),
          ),
        ).toEqual(
          linesOf(
            debits.map((one) => ({
              key: one.idempotency_key,
              user: one.user_id,
              paise: one.amount_paise,
            })),
          ),
        );
        expect(new Set(completed.map((one) => one.user_id)).size).toBe(completed.length);
        api.wallet.next.length = 0;
      }),
      { numRuns: 15 },
    );
  });
});
