import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import type { WorldUser } from '@karaar/testing/service-world';
import { debitOf, startApi, type Api } from './api.ts';

jest.setTimeout(60_000);

const NOBODY = '00000000-0000-7000-8000-00000000dead';
let api: Api;
let user: WorldUser;

beforeAll(async () => {
  api = await startApi('wallet-ledger-check');
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
});

describe('npm run ledger:check', () => {
  const run = (env: Record<string, string>) =>
    new Promise<{ code: number | null; out: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, '../src/check-ledger.ts')], {
        env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...env },
      });
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out }));
    });
  const check = () => run({ DATABASE_URL: api.world.env['DATABASE_URL'] ?? '' });

  it('[WALLET-032] exits 0 on a sound ledger and 1 on each planted fault', async () => {
    await api.topUp(user, 10);
    const debit = debitOf(user, 4);
    await api.debit(debit);
    await api.ask(walletInternalRpc.reverseDebit, {
      debit_key: debit.idempotency_key,
      user_id: debit.user_id,
      amount_paise: debit.amount_paise,
      description: 'Reversal',
    });
    const other = await api.world.addUser('Meera Nair');
    const onTop = api.razorpay.pay(await api.order(other, 500), { amount: 51_180, fee: 1_180 });
    await api.verify(other, api.razorpay.checkoutOf(onTop));
    await api.debit(debitOf(other, 499.6));
    await api.call(other, 'POST', '/wallet/give-up', { amount: 0.4, idempotency_key: randomUUID() });
    const sound = await check();
    expect(sound.out).toMatch(/Σ entries {2}0 paise\nfaults {5}0\n$/);
    expect(sound.code).toBe(0);

    // Past every guard of the database, as only its owner can.
    const plant = async (statement: string, undo: string, table?: string) => {
      const off = table
        ? `GRANT UPDATE, DELETE ON ${table} TO CURRENT_USER; ALTER TABLE ${table} DISABLE TRIGGER USER;`
        : '';
      const on = table
        ? `ALTER TABLE ${table} ENABLE TRIGGER USER; REVOKE UPDATE, DELETE ON ${table} FROM CURRENT_USER; GRANT UPDATE (id) ON transfers TO CURRENT_USER;`
        : '';
      await api.world.asOwner(`${off}${statement};${on}`);
      const found = await check();
      await api.world.asOwner(`${off}${undo};${on}`);
      return found;
    };
    const account = `id = '${user.userId}'`;
    const entry = `account_id = '${user.userId}' AND amount_paise`;
    for (const [fault, found] of [
      [
        `the balance kept is not the sum of the entries: ${user.userId}`,
        await plant(
          `UPDATE accounts SET balance_paise = balance_paise + 1 WHERE ${account}`,
          `UPDATE accounts SET balance_paise = balance_paise - 1 WHERE ${account}`,
        ),
      ],
      [
        'the entries do not sum to zero',
        await plant(
          `UPDATE entries SET amount_paise = 1001 WHERE ${entry} = 1000`,
          `UPDATE entries SET amount_paise = 1000 WHERE ${entry} = 1001`,
          'entries',
        ),
      ],
      [
        'a transfer has not exactly its two entries',
        await plant(
          `UPDATE transfers SET amount_paise = 401 WHERE amount_paise = 400 AND from_account = '${user.userId}'`,
          `UPDATE transfers SET amount_paise = 400 WHERE amount_paise = 401 AND from_account = '${user.userId}'`,
          'transfers',
        ),
      ],
      [
        'an account of a transfer does not exist',
        await plant(
          `UPDATE transfers SET from_account = '${NOBODY}' WHERE amount_paise = 400 AND from_account = '${user.userId}'`,
          `UPDATE transfers SET from_account = '${user.userId}' WHERE from_account = '${NOBODY}'`,
          'transfers',
        ),
      ],
      [
        'a reversal does not mirror its debit',
        await plant(
          `UPDATE transfers SET idempotency_key = 'reversal:nothing' WHERE idempotency_key LIKE 'reversal:%'`,
          `UPDATE transfers SET idempotency_key = 'reversal:${debit.idempotency_key}' WHERE idempotency_key = 'reversal:nothing'`,
          'transfers',
        ),
      ],
      [
        'a paid top-up order has no credit of its amount',
        await plant(
          `UPDATE top_up_orders SET amount_paise = 999 WHERE user_id = '${user.userId}'`,
          `UPDATE top_up_orders SET amount_paise = 1000 WHERE user_id = '${user.userId}'`,
        ),
      ],
      [
        'a fee that was paid on top of an order is not booked',
        await plant(
          `UPDATE top_up_orders SET fee_paise = 1181 WHERE user_id = '${other.userId}'`,
          `UPDATE top_up_orders SET fee_paise = 1180 WHERE user_id = '${other.userId}'`,
        ),
      ],
      [
        'a booked fee was not paid on top of an order',
        await plant(
          `UPDATE transfers SET amount_paise = 1179 WHERE idempotency_key = 'razorpay-fee:${onTop.id}'`,
          `UPDATE transfers SET amount_paise = 1180 WHERE idempotency_key = 'razorpay-fee:${onTop.id}'`,
          'transfers',
        ),
      ],
      [
        'a rest that was given up could have gone back to a card',
        await plant(
          `UPDATE transfers SET amount_paise = 100 WHERE idempotency_key LIKE 'given-up:${other.userId}:%'`,
          `UPDATE transfers SET amount_paise = 40 WHERE idempotency_key LIKE 'given-up:${other.userId}:%'`,
          'transfers',
        ),
      ],
    ] as const) {
      expect(found.out).toContain(fault);
      expect(found.code).toBe(1);
    }
    expect((await check()).code).toBe(0);
  });

  it('stores the result for the alarm, in every replica, until the next run', async () => {
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`${api.service.innerUrl}/metrics`)).text();
      return Number(new RegExp(`^${name}\\{proof="whole"\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    await api.topUp(user, 5);
    const change = (by: number) =>
      api.world.asOwner(
        `UPDATE accounts SET balance_paise = balance_paise + ${by} WHERE id = '${user.userId}'`,
      );
    const before = await metric('ledger_checked_at_seconds');
    await change(1);
    expect((await check()).code).toBe(1);
    expect(await metric('ledger_faults')).toBe(1);
    expect(await metric('ledger_checked_at_seconds')).toBeGreaterThan(before);
    await change(-1);
    expect((await check()).code).toBe(0);
    expect(await metric('ledger_faults')).toBe(0);
  });

  it('exits 1 if it cannot read', async () => {
    expect(await run({})).toEqual({ code: 1, out: expect.stringContaining('DATABASE_URL is required') });
    expect((await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).code).toBe(1);
  });
});
