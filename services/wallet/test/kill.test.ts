import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { walletRpc } from '@karaar/contracts/wallet/rpc';
import { connectBus, type Bus } from '@karaar/platform/bus';
import { createDb, type Db } from '@karaar/platform/db-kit';
import { AppError } from '@karaar/platform/errors';
import { createLogger } from '@karaar/platform/logging';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import type { Database } from '../src/db/schema.ts';
import { checkLedger } from '../src/features/ledger/ledger-check.ts';
import { eventsOf } from './events.ts';
import { startRazorpay, type Notice, type Razorpay } from './razorpay.ts';
import { walletProcess, type WalletProcess } from './wallet-process.ts';

jest.setTimeout(120_000);

const KILLS = 6;
const USERS = 4;
const ORDERS = 40;
const ORDER_RUPEES = 10;

let world: ServiceWorld;
let razorpay: Razorpay;
let wallet: WalletProcess;
let bus: Bus;
let db: Db<Database>;

beforeAll(async () => {
  world = await startServiceWorld('wallet-kill');
  razorpay = await startRazorpay();
  wallet = await walletProcess({
    ...world.env,
    ...razorpay.env,
    // Nobody prints here.
    DOCUMENTS_URL: 'http://127.0.0.1:9',
    SERVICE_NAME: 'wallet',
    LOG_LEVEL: 'silent',
  });
  await wallet.start();
  const logger = createLogger({ name: 'payments', level: 'silent' });
  bus = await connectBus({ url: world.natsUrl, name: 'payments', logger });
  db = createDb<Database>({ url: String(world.env['DATABASE_URL']), applicationName: 'test', max: 2 });
}, 120_000);
afterAll(async () => {
  await wallet.kill();
  await bus.close();
  await db.destroy();
  await razorpay.stop();
  await world.stop();
});

type Debit = { key: string; userId: string; amountPaise: number };
type Outcome = Debit & { transferId: string | undefined };

/** One paid order's notice, ready to be delivered. */
async function paidOrder(user: WorldUser): Promise<Notice> {
  const response = await fetch(`${wallet.url}/wallet/create-razorpay-order`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: ORDER_RUPEES }),
  });
  const { order } = (await response.json()) as { order: { id: string } };
  return razorpay.notice('payment.captured', razorpay.pay(order.id));
}

/** Delivers as the provider does: until it is acknowledged, and once more although it was. */
async function deliver(notice: Notice): Promise<void> {
  for (let acknowledged = 0; acknowledged < 2;) {
    const response = await fetch(`${wallet.url}/wallet/razorpay-webhook`, {
      method: 'POST',
      ...notice,
    }).catch(() => undefined);
    await response?.text().catch(() => undefined);
    if (response?.ok) acknowledged += 1;
    else await sleep(100);
  }
}

/** Asks as the payments service does: the same key until there is an outcome. */
async function settle(debit: Debit): Promise<Outcome> {
  for (;;) {
    try {
      const { transfer_id } = await bus.request(
        walletRpc.debit,
        {
          idempotency_key: debit.key,
          user_id: debit.userId,
          amount_paise: debit.amountPaise,
          description: 'Payment',
          reference: 'doc-1',
        },
        { timeoutMs: 500 },
      );
      return { ...debit, transferId: transfer_id };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.status === 402) return { ...debit, transferId: undefined };
      if (error.status !== 503) throw error;
      await sleep(50);
    }
  }
}

it('[WALLET-032] [WALLET-034] [WALLET-036] loses and doubles nothing while it is killed and started again', async () => {
  const users = await Promise.all(Array.from({ length: USERS }, (_, i) => world.addUser(`User ${i}`)));
  const notices: Notice[] = [];
  for (let i = 0; i < ORDERS; i += 1) {
    const user = users[i % USERS];
    if (user) notices.push(await paidOrder(user));
  }

  let kills = 0;
  const killer = (async () => {
    while (kills < KILLS) {
      await sleep(randomInt(200, 900));
      await wallet.kill();
      kills += 1;
      await wallet.start();
    }
  })();
  const outcomes: Outcome[] = [];
  const debitors = users.flatMap((user) =>
    Array.from({ length: 2 }, async () => {
      while (kills < KILLS) {
        const debit = { key: `payment:${randomUUID()}`, userId: user.userId, amountPaise: randomInt(1, 60) };
        outcomes.push(await settle(debit));
        await sleep(5);
      }
    }),
  );
  // Spread over the time of the kills.
  const creditors = notices.map(async (notice, i) => {
    while (kills < (KILLS * i) / ORDERS) await sleep(50);
    await deliver(notice);
  });
  try {
    await Promise.all([killer, ...debitors, ...creditors]);
  } finally {
    // Also when one of them failed, no process may be started after the end.
    kills = KILLS;
    await killer;
  }

  const done = outcomes.filter((outcome) => outcome.transferId !== undefined);
  // Otherwise the rest proves little.
  expect(done.length).toBeGreaterThan(20);

  // 1. The ledger holds together, and no balance is negative.
  expect(await checkLedger(db)).toMatchObject({ totalPaise: '0', faults: [] });

  // 2. Every acknowledged debit is there once, and nothing that was not acknowledged.
  const rows = await db.selectFrom('transfers').selectAll().execute();
  const debits = rows.filter((row) => row.idempotency_key.startsWith('payment:'));
  const told = (all: { id: string | undefined; key: string; user: string; paise: number }[]) =>
    all.map((one) => `${one.key} ${one.id} ${one.user} ${one.paise}`).sort();
  expect(
    told(
      debits.map((row) => ({
        id: row.id,
        key: row.idempotency_key,
        user: row.from_account,
        paise: row.amount_paise,
      })),
    ),
  ).toEqual(
    told(done.map((one) => ({ id: one.transferId, key: one.key, user: one.userId, paise: one.amountPaise }))),
  );

  // 3. Every paid order is credited once.
  const credits = rows.filter((row) => row.idempotency_key.startsWith('razorpay:'));
  expect(credits.map((row) => row.idempotency_key).sort()).toEqual(
    [...razorpay.payments.keys()].map((id) => `razorpay:${id}`).sort(),
  );
  expect(rows).toHaveLength(debits.length + credits.length);

  // 4. Every transfer has one event in the stream. The leases of killed relays end by themselves after
  // 30 s; nobody else is left who could hold one.
  await sql`UPDATE outbox SET leased_until = NULL WHERE published_at IS NULL`.execute(db);
  await until('the outbox is empty', async () => {
    const open = await sql`SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1`.execute(db);
    return open.rows.length === 0;
  });
  const events = await eventsOf(bus);
  expect(events.map((event) => event.data.transfer_id).sort()).toEqual(rows.map((row) => row.id).sort());
});
