/** Forty cuts between wallet and payments and their servers, under load; `npm run bench -- faults cuts` is the long form. */
import { jest } from '@jest/globals';
import type { TestProxy } from '@karaar/testing/servers/proxy';
import { deal } from '../testing/deal.ts';
import { faultsOf, settled } from '../testing/books.ts';
import { dealings } from '../testing/dealings.ts';
import { start } from '../testing/in-process.ts';
import { startMoneyWorld, type MoneyWorld, type PartName } from '../testing/money-world.ts';
import { Cutter, via, type Lot } from './cutter.ts';

jest.setTimeout(240_000);

const CUTS = 40;
const PEOPLE = 4;
const VARIABLES = {
  postgres: 'DATABASE_URL',
  nats: 'NATS_URL',
  redis: 'REDIS_URL',
  provider: 'RAZORPAY_API_URL',
} as const;

const proxies = new Map<string, TestProxy>();
let world: MoneyWorld;
let services: Record<PartName, Awaited<ReturnType<(typeof start)[PartName]>>>;

/** Starts a service with a proxy in front of each server that it uses. */
async function startBehind<Name extends PartName>(name: Name) {
  const env: Record<string, string> = { ...world.env[name] };
  for (const [what, variable] of Object.entries(VARIABLES)) {
    const address = env[variable];
    if (address === undefined) continue;
    env[variable] = await via(address, (proxy) => proxies.set(`${name} ${what}`, proxy));
  }
  return start[name](env);
}

beforeAll(async () => {
  world = await startMoneyWorld('cuts');
  const wallet = await startBehind('wallet');
  world.walletPort.add(Number(new URL(wallet.innerUrl).port));
  services = { wallet, payments: await startBehind('payments') };
}, 120_000);
afterAll(async () => {
  for (const { app, close } of Object.values(services)) {
    app.server.closeAllConnections();
    await app.close();
    await close();
  }
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  await world.stop();
}, 60_000);

it('[WALLET-032] [WALLET-034] [WALLET-036] [PAY-057] 40 cuts, some between COMMIT and its answer, lose and double nothing', async () => {
  const lots = [...proxies.keys()].flatMap((link): Lot[] => [
    ...(link.endsWith('postgres') ? [{ link, kind: 'commit', weight: 4 } as const] : []),
    { link, kind: 'answer', weight: 2 },
    { link, kind: 'bytes', weight: 2 },
    { link, kind: 'silence', weight: 1 },
  ]);
  const cutter = new Cutter({ proxies, lots, pauseMs: 300 });
  const deals = await dealings(world, (name) => services[name].url);
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, i) => world.world.addUser(`User ${i}`)),
  );
  let over = false;
  const load = people.map((user, i) => deal(deals, user, people[(i + 1) % PEOPLE] ?? user, () => over));
  await cutter
    .run(CUTS, () => deals.reported.paid.size, AbortSignal.timeout(60_000))
    .finally(() => (over = true));
  await Promise.all(load);
  await settled(world);
  expect(await faultsOf(world, deals.reported)).toEqual([]);
  expect(cutter.done).toBeGreaterThanOrEqual(CUTS);
  expect(cutter.times('commit')).toBeGreaterThan(0);
  // Without payments the rest proves little.
  expect(deals.reported.paid.size).toBeGreaterThan(5);
});
