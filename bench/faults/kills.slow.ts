/** Fifty SIGKILLs of wallet, payments, broker and database under load; `npm run bench -- faults` is the long form. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backing } from '@karaar/testing/backing/backing';
import { jest } from '@jest/globals';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { scratch } from '@karaar/testing/scratch';
import { freePort } from '@karaar/testing/processes/ports';
import { serviceProcess, type ServiceProcess } from '@karaar/testing/servers/service-process';
import { messagesOf } from '@karaar/testing/stream';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { bundled } from '../lib/bundles.ts';
import { startTestBacking } from '../lib/test-backing.ts';
import { faultsOf, settled } from './testing/books.ts';
import { deal } from './testing/deal.ts';
import { dealings, type Dealings } from './testing/dealings.ts';
import { startMoneyWorld, type MoneyWorld, type PartName } from './testing/money-world.ts';

jest.setTimeout(240_000);

/** The kills of each part, fifty in all. Wallet and payments have two processes, of which one is killed at a time. */
const KILLS = { wallet: 21, payments: 21, nats: 5, postgres: 3 } as const;
type Victim = keyof typeof KILLS;
const PROCESSES = 2;
const PEOPLE = 6;

let folder: ReturnType<typeof scratch>;
let backing: Backing;
let world: MoneyWorld;
let parts: Record<PartName, ServiceProcess[]>;
let deals: Dealings;

beforeAll(async () => {
  folder = scratch();
  backing = await startTestBacking();
  [world] = await Promise.all([startMoneyWorld('kills'), bundled(['wallet', 'payments'], folder.dir)]);
  const start = (name: PartName) =>
    Promise.all(
      Array.from({ length: PROCESSES }, async () => {
        const innerPort = await freePort();
        if (name === 'wallet') world.walletPort.add(innerPort);
        const env = { ...world.env[name], INTERNAL_PORT: String(innerPort) };
        const part = await serviceProcess(join(folder.dir, name, 'main.js'), env);
        await part.start();
        return part;
      }),
    );
  parts = { wallet: await start('wallet'), payments: await start('payments') };
  // Like a balancer: one of the processes at random.
  deals = await dealings(world, (name) => parts[name][randomInt(PROCESSES)]?.url ?? '');
}, 120_000);
afterAll(async () => {
  await Promise.all([...parts.wallet, ...parts.payments].map((part) => part.kill()));
  await world.stop();
  await backing.stop({ remove: true });
  folder.remove();
}, 60_000);

/** Retries the start, because a service ends when its database is down at its start. */
async function startAgain(part: ServiceProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await part.start();
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(100);
    }
  }
}

async function killService(part: ServiceProcess): Promise<void> {
  await part.kill();
  await startAgain(part);
}

async function killBacking(name: 'nats' | 'postgres'): Promise<void> {
  const part = backing.part(name);
  part.kill('SIGKILL');
  await part.restart();
}

/** Kills the services, and the backing services evenly in the meantime. */
async function killAll(): Promise<Record<Victim, number>> {
  const done = { wallet: 0, payments: 0, nats: 0, postgres: 0 };
  const services = (['wallet', 'payments'] as const).flatMap((name) =>
    parts[name].map(async (part, i) => {
      for (let n = i; n < KILLS[name]; n += PROCESSES) {
        await sleep(randomInt(0, 150));
        await killService(part);
        done[name] += 1;
      }
    }),
  );
  const share = () => (done.wallet + done.payments) / (KILLS.wallet + KILLS.payments);
  const backings = (['nats', 'postgres'] as const).map(async (name) => {
    while (done[name] < KILLS[name]) {
      while (share() < done[name] / KILLS[name]) await sleep(20);
      await sleep(randomInt(0, 150));
      await killBacking(name);
      done[name] += 1;
    }
  });
  await Promise.all([...services, ...backings]);
  return done;
}

it('[WALLET-032] [WALLET-034] [WALLET-036] [WALLET-037] [PAY-057] [PAY-058] 50 kills lose and double nothing, and cause no negative balance', async () => {
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, i) => world.world.addUser(`User ${i}`)),
  );
  let over = false;
  const load = people.map((user, i) => deal(deals, user, people[(i + 1) % PEOPLE] ?? user, () => over));
  const killed = await killAll().finally(() => (over = true));
  await Promise.all(load);
  await settled(world);
  expect(await faultsOf(world, deals.reported)).toEqual([]);
  expect(killed).toEqual(KILLS);
  // Without payments the rest proves little.
  expect(deals.reported.paid.size).toBeGreaterThan(5);

  // Leases of killed relays would last 30 s.
  await sql`UPDATE outbox SET leased_until = NULL WHERE published_at IS NULL`.execute(world.db.payments);
  const completed = await world.db.payments
    .selectFrom('payments')
    .select('id')
    .where('transfer_id', 'is not', null)
    .execute();
  await until('every completed payment has an event', async () => {
    const events = await messagesOf<{ type: string; aggregateId: string }>(
      world.world.natsUrl,
      'EVT_PAYMENTS',
    );
    const published = new Set(
      events.filter(({ type }) => type === paymentsEvents.paymentCompleted.type).map((e) => e.aggregateId),
    );
    return published.size === completed.length && completed.every(({ id }) => published.has(id));
  });
});
