import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { walletEvents } from '@karaar/contracts/wallet/events';
import type { Envelope, EventData } from '@karaar/contracts/kit';
import { walletRoutes } from '@karaar/contracts/wallet/http';
import { AppError } from '@karaar/platform/errors';
import { startPrinter, type TestPrinter } from '@karaar/testing/printer';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { REVENUE_ACCOUNT } from '../src/db/migrations/ledger.sql.ts';
import { startApi, type Api } from './api.ts';

type Movement = Envelope<EventData<typeof walletEvents.credited>>;

jest.setTimeout(60_000);

let api: Api;
let printer: TestPrinter;
let user: WorldUser;

beforeAll(async () => {
  printer = await startPrinter();
  api = await startApi('wallet-ledger-api', { DOCUMENTS_URL: printer.url });
}, 120_000);
afterAll(async () => {
  await api.stop();
  await printer.stop();
});
beforeEach(async () => {
  user = await api.world.addUser('Asha Rao');
});

const debitOf = (payer: WorldUser, rupees: number, change: { idempotency_key?: string } = {}) => ({
  idempotency_key: `payment:${randomUUID()}`,
  user_id: payer.userId,
  amount_paise: Math.round(rupees * 100),
  description: 'Payment for Rent agreement',
  reference: 'doc-1',
  ...change,
});
const refusalOf = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('it was not refused');
  return { status: error.status, code: error.code, detail: error.detail };
};

describe('a wallet', () => {
  it('[WALLET-015] is empty, and dated, before anything has moved', async () => {
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

  it('[WALLET-016] pages through its own transactions, also those of one moment, without gap or repeat', async () => {
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

  it('refuses a page that is none', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=x', `cursor=${randomUUID()}x`]) {
      const answer = await api.call(user, 'GET', `/wallet/transactions?${query}`);
      expect({ query, status: answer.status }).toEqual({ query, status: 422 });
    }
  });
});

describe('a statement', () => {
  const statement = (who: WorldUser, query = '') =>
    fetch(`${api.service.url}/wallet/statement${query}`, { headers: who.headers });
  const days = (iso: unknown) =>
    new Date(Date.parse(String(iso)) + 5.5 * 3_600_000).toISOString().slice(0, 10);

  it('is a spreadsheet of all own movements, oldest first, with the balance after each', async () => {
    await api.topUp(user, 1_234.5);
    await api.debit({ ...debitOf(user, 0.75), description: '=SUM(A1:A9), "विक्रम"' });
    const response = await statement(user);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain(`karaar-statement-${user.charId}.csv`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, first, second, end] = bytes.toString('utf8').slice(1).split('\r\n');
    expect(header).toBe('Date (India time),Description,Type,Amount (INR),Balance (INR),Transaction ID');
    expect(first).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Wallet top-up,credit,1234\.50,1234\.50,[0-9a-f-]{36}$/,
    );
    // A spreadsheet would run the text of a name that begins with =; it gets it as text.
    expect(second).toMatch(/,"'=SUM\(A1:A9\), ""विक्रम""",debit,0\.75,1233\.75,/);
    expect(end).toBe('');
  });

  it('holds every movement once when there are more than are read at a time, and only the own ones', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await Promise.all([api.topUp(user, 2_000), api.topUp(other, 5)]);
    const { db } = api.service.foundation;
    await sql`SELECT ledger_transfer(${`many-${user.userId}-`} || n, ${user.userId}::uuid, 'debit',
      ${REVENUE_ACCOUNT}::uuid, 100, 'Payment', 'doc') FROM generate_series(1, 1100) n`.execute(db);
    const lines = (await (await statement(user)).text()).trimEnd().split('\r\n').slice(1);
    expect(lines).toHaveLength(1_101);
    expect(new Set(lines.map((line) => line.split(',').at(-1))).size).toBe(1_101);
    expect(lines.at(-1)).toContain(',debit,1.00,900.00,');
  });

  it('is printed as PDF with what came in, what went out and what was there before and after', async () => {
    await api.topUp(user, 1_00_000);
    await api.debit(debitOf(user, 7.5));
    const response = await statement(user, '?format=pdf');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toContain(`karaar-statement-${user.charId}.pdf`);
    const sheet = printer.sheets.at(-1);
    expect(sheet?.facts.map(({ value }) => value)).toEqual(['₹0.00', '₹1,00,000.00', '₹7.50', '₹99,992.50']);
    expect(sheet?.rows).toEqual([
      [expect.any(String), 'Wallet top-up', '₹1,00,000.00', '', '₹1,00,000.00'],
      [expect.any(String), 'Payment for Rent agreement', '', '₹7.50', '₹99,992.50'],
    ]);
    const empty = await statement(user, `?format=pdf&from=2020-01-01&to=2020-01-02`);
    expect(empty.status).toBe(200);
    expect(printer.sheets.at(-1)?.rows).toEqual([]);
  });

  it('of too long a period, or while nobody can print, says so', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await api.topUp(other, 100_000);
    await sql`SELECT ledger_transfer(${`long-${other.userId}-`} || n, ${other.userId}::uuid, 'debit',
      ${REVENUE_ACCOUNT}::uuid, 1, 'Payment', 'doc') FROM generate_series(1, 2000) n`.execute(
      api.service.foundation.db,
    );
    const long = await statement(other, '?format=pdf');
    expect([long.status, await long.json()]).toEqual([
      422,
      { code: 'statement_too_long', detail: expect.stringContaining('CSV') },
    ]);
  });

  it('and the history keep to a kind and to days of India, both ends included', async () => {
    await api.topUp(user, 10);
    await api.debit(debitOf(user, 1));
    const { db } = api.service.foundation;
    const [newest] = await api.transactions(user);
    const today = days(newest?.['created_at']);
    const { rows } = await sql<{
      day: string;
    }>`SELECT to_char(${today}::date - 1, 'YYYY-MM-DD') AS day`.execute(db);
    const yesterday = rows[0]?.day ?? '';
    const amounts = async (query: string) =>
      (await api.transactions(user, query)).map((one) => one['amount']);
    expect(await amounts('?type=credit')).toEqual([10]);
    expect(await amounts('?type=debit')).toEqual([1]);
    expect(await amounts(`?from=${today}&to=${today}`)).toEqual([1, 10]);
    expect(await amounts(`?to=${yesterday}`)).toEqual([]);
    expect((await (await statement(user, `?to=${yesterday}`)).text()).trimEnd().split('\r\n')).toHaveLength(
      1,
    );
    for (const query of ['from=2026-02-30', 'to=yesterday', `from=${today}&to=${yesterday}`, 'type=gift']) {
      expect((await api.call(user, 'GET', `/wallet/transactions?${query}`)).status).toBe(422);
    }
    expect((await statement(user, '?from=2026-13-01')).status).toBe(422);
  });
});

describe('who may', () => {
  const calls = [
    ['GET', '/wallet/balance'],
    ['GET', '/wallet/transactions'],
    ['POST', '/wallet/create-razorpay-order'],
    ['POST', '/wallet/verify-razorpay-payment'],
    ['GET', '/wallet/order-status/order_1'],
    ['POST', '/wallet/add-funds'],
    ['GET', '/wallet/statement'],
  ] as const;

  it('covers every route of users; those of admins are with the refunds', () => {
    const routes = Object.values(walletRoutes).filter((route) => route.access === 'user');
    expect(routes.map((route) => route.path.replace(':id', 'order_1')).sort()).toEqual(
      calls.map(([, path]) => path).sort(),
    );
  });

  it('[WALLET-028] needs a token: none, expired, forged and foreign ones are 401', async () => {
    const { issuer } = api.world;
    const tokens = [await issuer.expired(), await issuer.forged(), await issuer.foreign(), 'nonsense'];
    const callers = [
      undefined,
      ...tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } })),
    ];
    for (const [method, path] of calls) {
      for (const caller of callers) {
        const answer = await api.call(caller, method, path, method === 'POST' ? {} : undefined);
        expect({ path, status: answer.status }).toEqual({ path, status: 401 });
        expect(answer.body['detail']).toEqual(expect.any(String));
      }
    }
  });

  it('is users only: an admin’s token is 403', async () => {
    const admin = { headers: await api.world.adminHeaders() };
    for (const [method, path] of calls) {
      const answer = await api.call(admin, method, path, method === 'POST' ? {} : undefined);
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
    }
  });
});

describe('a debit by another service', () => {
  it('[WALLET-034] happens once per key, also asked twenty times at once', async () => {
    await api.topUp(user, 50);
    const asked = debitOf(user, 20);
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.debit(asked)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ transfer_id: expect.any(String), balance_paise: 3_000 });
    await api.topUp(user, 1);
    // The stored answer, not today's balance.
    expect(await api.debit(asked)).toEqual(answers[0]);
    expect(await api.balance(user)).toBe(31);
  });

  it('[WALLET-035] is refused when its key comes with other parameters', async () => {
    const other = await api.world.addUser('Vikram Shah');
    await Promise.all([api.topUp(user, 50), api.topUp(other, 50)]);
    const asked = debitOf(user, 20);
    await api.debit(asked);
    for (const change of [{ amount_paise: 2_001 }, { user_id: other.userId }, { reference: 'doc-2' }]) {
      expect(await refusalOf(api.debit({ ...asked, ...change }))).toMatchObject({
        status: 409,
        code: 'idempotency_mismatch',
      });
    }
    expect([await api.balance(user), await api.balance(other)]).toEqual([30, 50]);
  });

  it('[PAY-018] is refused with the balance that is there, and stays refused after a top-up', async () => {
    await api.topUp(user, 12.5);
    const asked = debitOf(user, 30);
    const refused = {
      status: 402,
      code: 'insufficient_balance',
      detail: 'Insufficient wallet balance. Required: ₹30.00, Available: ₹12.50',
    };
    expect(await refusalOf(api.debit(asked))).toEqual(refused);
    await api.topUp(user, 100);
    expect(await refusalOf(api.debit(asked))).toEqual(refused);
    expect(await api.debit(debitOf(user, 30))).toMatchObject({ balance_paise: 8_250 });
  });

  it('is refused for nobody and for amounts that are none', async () => {
    expect((await refusalOf(api.debit({ ...debitOf(user, 1), user_id: 'nobody' }))).status).toBe(404);
    for (const amount_paise of [0, -5, 1.5]) {
      expect((await refusalOf(api.debit({ ...debitOf(user, 1), amount_paise }))).status).toBe(422);
    }
    expect((await refusalOf(api.debit(debitOf(user, 1, { idempotency_key: 'short' })))).status).toBe(422);
  });
});

describe('facts', () => {
  it('are published once per transfer, in the order of the wallet', async () => {
    await api.topUp(user, 10);
    const asked = debitOf(user, 4);
    await api.debit(asked);
    await api.debit(asked);
    await refusalOf(api.debit(debitOf(user, 100)));
    const mine = async () =>
      (await messagesOf<Movement>(api.world.natsUrl, 'EVT_WALLET')).filter(
        (event) => event.aggregateId === user.userId,
      );
    await until('both facts are out', async () => (await mine()).length >= 2);
    const [credit, debit] = await api.transactions(user).then((list) => list.reverse());
    expect(await mine()).toEqual([
      expect.objectContaining({
        type: walletEvents.credited.type,
        aggregateVersion: 1,
        data: {
          user_id: user.userId,
          transfer_id: credit?.['_id'],
          amount_paise: 1_000,
          balance_paise: 1_000,
        },
      }),
      expect.objectContaining({
        type: walletEvents.debited.type,
        aggregateVersion: 2,
        data: { user_id: user.userId, transfer_id: debit?.['_id'], amount_paise: 400, balance_paise: 600 },
      }),
    ]);
  });
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

  it('[WALLET-032] exits 0 on a sound ledger and 1 on each fault that somebody plants', async () => {
    await api.topUp(user, 10);
    await api.debit(debitOf(user, 4));
    const sound = await check();
    expect(sound.out).toMatch(/Σ entries {2}0 paise\nfaults {5}0\n$/);
    expect(sound.code).toBe(0);

    // Past every guard of the database, as only its owner can.
    const plant = async (statement: string, undo: string, table?: string) => {
      const off = table ? `ALTER TABLE ${table} DISABLE TRIGGER USER;` : '';
      const on = table ? `ALTER TABLE ${table} ENABLE TRIGGER USER;` : '';
      await sql.raw(`${off}${statement};${on}`).execute(api.service.foundation.db);
      const found = await check();
      await sql.raw(`${off}${undo};${on}`).execute(api.service.foundation.db);
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
        'a paid top-up order has no credit of its amount',
        await plant(
          `UPDATE top_up_orders SET amount_paise = 999 WHERE user_id = '${user.userId}'`,
          `UPDATE top_up_orders SET amount_paise = 1000 WHERE user_id = '${user.userId}'`,
        ),
      ],
    ] as const) {
      expect(found.out).toContain(fault);
      expect(found.code).toBe(1);
    }
    expect((await check()).code).toBe(0);
  });

  it('exits 1 when it cannot read', async () => {
    expect(await run({})).toEqual({ code: 1, out: expect.stringContaining('DATABASE_URL is required') });
    expect((await run({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).code).toBe(1);
  });
});
