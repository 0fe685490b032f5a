import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { AppError } from '@karaar/base/errors';
import { refused } from '@karaar/testing/refused';
import type { WorldUser } from '@karaar/testing/service-world';
import { debitOf, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

let api: Api;
let user: WorldUser;

beforeAll(async () => {
  api = await startApi('wallet-ledger-api');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
});

const refusalOf = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('The call was not refused');
  return { status: error.status, code: error.code, detail: error.detail };
};

describe('a wallet', () => {
  it('[WALLET-015] is empty and has a date before its first movement', async () => {
    const answer = await api.call(user, 'GET', '/wallet/balance');
    expect(answer).toEqual({ status: 200, body: { balance: 0, updated_at: expect.any(String) } });
    expect(Math.abs(Date.parse(String(answer.body['updated_at'])) - Date.now())).toBeLessThan(60_000);
    expect(await api.transactions(user)).toEqual([]);
  });

  it('[WALLET-015] [WALLET-016] shows balance and transactions in rupees, newest first', async () => {
    await api.topUp(user, 100.1);
    await api.debit(debitOf(user, 0.2));
    const answer = await api.call(user, 'GET', '/wallet/balance');
    expect(answer.body).toEqual({ balance: 99.9, updated_at: expect.any(String) });
    const list = await api.transactions(user);
    expect(list).toEqual([
      {
        _id: expect.any(String),
        type: 'debit',
        description: 'Payment for Rent agreement',
        amount: 0.2,
        created_at: expect.any(String),
      },
      {
        _id: expect.any(String),
        type: 'credit',
        description: 'Wallet top-up',
        amount: 100.1,
        created_at: expect.any(String),
      },
    ]);
    const apart = Date.parse(String(answer.body['updated_at'])) - Date.parse(String(list[0]?.['created_at']));
    expect(Math.abs(apart)).toBeLessThan(1_000);
  });

  it('[WALLET-016] returns its own transactions in pages, even those of the same moment, without gap or repeat', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await Promise.all([api.topUp(user, 1_000), api.topUp(other, 1_000)]);
    await Promise.all(Array.from({ length: 24 }, (_, i) => api.debit(debitOf(i % 2 ? user : other, i + 1))));
    const all = await api.transactions(user);
    expect(all.map((one) => one['amount']).sort((a, b) => Number(a) - Number(b))).toEqual([
      2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 1_000,
    ]);
    const times = all.map((one) => Date.parse(String(one['created_at'])));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const paged: Record<string, unknown>[] = [];
    for (let cursor = ''; ; cursor = `&cursor=${String(paged.at(-1)?.['_id'])}`) {
      const page = await api.transactions(user, `?limit=5${cursor}`);
      paged.push(...page);
      if (page.length < 5) break;
    }
    expect(paged).toEqual(all);
  });

  it('refuses an invalid page', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', `cursor=${randomUUID()}x`]) {
      const answer = await api.call(user, 'GET', `/wallet/transactions?${query}`);
      expect({ query, status: answer.status }).toEqual({ query, status: 422 });
    }
  });
});

describe('access', () => {
  const calls = [
    ['GET', '/wallet/balance'],
    ['GET', '/wallet/transactions'],
    ['POST', '/wallet/create-razorpay-order'],
    ['POST', '/wallet/verify-razorpay-payment'],
    ['GET', '/wallet/order-status/order_1'],
    ['POST', '/wallet/add-funds'],
    ['POST', '/wallet/give-up'],
    ['GET', '/wallet/statement'],
    ['GET', '/wallet/waiting-top-ups'],
  ] as const;

  it('covers every route for users; the refund tests cover those for admins', () => {
    const routes = Object.values(walletRoutes).filter((route) => route.access === 'user');
    expect(routes.map((route) => route.path.replace(':id', 'order_1')).sort()).toEqual(
      calls.map(([, path]) => path).sort(),
    );
  });

  it('[WALLET-028] answers 401 without a token, and for an expired, forged or foreign one', async () => {
    const { issuer } = api.world;
    const tokens = [await issuer.expired(), await issuer.forged(), await issuer.foreign(), 'nonsense'];
    const callers = [
      undefined,
      ...tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    ];
    for (const [method, path] of calls) {
      for (const caller of callers) {
        const answer = await api.call(caller, method, path, method === 'POST' ? {} : undefined);
        refused({ path, ...answer }, 401);
      }
    }
  });

  it('answers 403 for an admin’s token', async () => {
    const admin = { headers: await api.world.adminHeaders() };
    for (const [method, path] of calls) {
      const answer = await api.call(admin, method, path, method === 'POST' ? {} : undefined);
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
    }
  });
});

describe('a debit by another service', () => {
  it('[WALLET-034] happens once per key, even for fifty simultaneous requests', async () => {
    await api.topUp(user, 50);
    const debit = debitOf(user, 20);
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.debit(debit)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ transfer_id: expect.any(String), balance_paise: 3_000 });
    await api.topUp(user, 1);
    // The stored answer, not the present balance.
    expect(await api.debit(debit)).toEqual(answers[0]);
    expect(await api.balance(user)).toBe(31);
  });

  it('[WALLET-035] is refused if its key comes with other parameters', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await Promise.all([api.topUp(user, 50), api.topUp(other, 50)]);
    const debit = debitOf(user, 20);
    await api.debit(debit);
    for (const change of [{ amount_paise: 2_001 }, { user_id: other.userId }, { reference: 'doc-2' }]) {
      expect(await refusalOf(api.debit({ ...debit, ...change }))).toMatchObject({
        status: 409,
        code: 'idempotency_mismatch',
      });
    }
    expect([await api.balance(user), await api.balance(other)]).toEqual([30, 50]);
  });

  it('[PAY-018] is refused with the present balance, and stays refused after a top-up', async () => {
    await api.topUp(user, 12.5);
    const debit = debitOf(user, 30);
    const refused = {
      status: 402,
      code: 'insufficient_balance',
      detail: 'Insufficient wallet balance. Required: ₹30.00, Available: ₹12.50',
    };
    expect(await refusalOf(api.debit(debit))).toEqual(refused);
    await api.topUp(user, 100);
    expect(await refusalOf(api.debit(debit))).toEqual(refused);
    expect(await api.debit(debitOf(user, 30))).toMatchObject({ balance_paise: 8_250 });
  });

  it('is refused for an invalid user and for invalid amounts', async () => {
    expect((await refusalOf(api.debit({ ...debitOf(user, 1), user_id: 'nobody' }))).status).toBe(404);
    for (const amount_paise of [0, -5, 1.5]) {
      expect((await refusalOf(api.debit({ ...debitOf(user, 1), amount_paise }))).status).toBe(422);
    }
    expect((await refusalOf(api.debit(debitOf(user, 1, { idempotency_key: 'short' })))).status).toBe(422);
  });
});

describe('a cancelled debit', () => {
  it('does not happen, or its transfer is returned if it has happened', async () => {
    const user = await api.world.addUser('Asha Rao');
    await api.topUp(user, 10);
    const cancel = ({ idempotency_key, user_id, amount_paise }: ReturnType<typeof debitOf>) =>
      api.ask(walletInternalRpc.cancelDebit, { idempotency_key, user_id, amount_paise });
    const [late, done] = [debitOf(user, 4), debitOf(user, 3)];
    expect(await cancel(late)).toEqual({ transfer_id: null });
    expect(await cancel(late)).toEqual({ transfer_id: null });
    await expect(api.debit(late)).rejects.toMatchObject({ status: 402 });
    const { transfer_id } = await api.debit(done);
    expect(await cancel(done)).toEqual({ transfer_id });
    await expect(cancel({ ...done, amount_paise: 1 })).rejects.toMatchObject({ status: 409 });
    expect(await api.balance(user)).toBe(7);
    // Exactly one of the two simultaneous requests wins, and the ledger has its result.
    for (let round = 0; round < 10; round += 1) {
      const both = debitOf(user, 0.1);
      const [debited, cancelled] = await Promise.allSettled([api.debit(both), cancel(both)]);
      const cancelledTransfer = cancelled.status === 'fulfilled' ? cancelled.value.transfer_id : 'failed';
      expect(debited.status === 'fulfilled' ? debited.value.transfer_id : null).toBe(cancelledTransfer);
    }
  });
});
