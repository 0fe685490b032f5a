/** Payments while the broker is down. Their events are published once when it is up again. */
import { jest } from '@jest/globals';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { sessionKey } from '@karaar/http/auth';
import { createRedis, redisReady } from '@karaar/storage/redis';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import type { WorldUser } from '@karaar/testing/service-world';
import { messagesOf } from '@karaar/testing/stream';
import { sessionOf } from '@karaar/testing/people/tokens';
import { until } from '@karaar/testing/until';
import { faultsOf, settled } from './testing/books.ts';
import { dealings, type Dealings } from './testing/dealings.ts';
import { start } from './testing/in-process.ts';
import { startMoneyWorld, type MoneyWorld } from './testing/money-world.ts';

jest.setTimeout(120_000);

let broker: TestBroker;
let world: MoneyWorld;
let wallet: Awaited<ReturnType<typeof start.wallet>>;
let payments: Awaited<ReturnType<typeof start.payments>>;
let deals: Dealings;

beforeAll(async () => {
  broker = await startBroker();
  world = await startMoneyWorld('broker-away', { natsUrl: broker.url });
  wallet = await start.wallet(world.env.wallet);
  world.walletPort.add(Number(new URL(wallet.innerUrl).port));
  payments = await start.payments(world.env.payments);
  deals = await dealings(world, (name) => ({ wallet, payments })[name].url);
}, 120_000);
afterAll(async () => {
  for (const service of [payments, wallet]) {
    await service.app.close();
    await service.close();
  }
  await world.stop();
  await broker.remove();
});

/** Writes sessions to Redis, as the auth service does at sign-in, so that services do not request them by the broker. */
async function signedIn(users: readonly WorldUser[]): Promise<void> {
  const redis = createRedis({ url: world.world.redisUrl, name: 'test', logger: payments.foundation.logger });
  await redisReady(redis);
  for (const user of users) await redis.set(sessionKey(sessionOf(user)), 'active', 'EX', 600);
  redis.disconnect();
}

const pay = async (user: WorldUser, documentId: string): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${payments.url}/payments/document/${documentId}/pay`, {
    method: 'POST',
    headers: user.headers,
  });
  return { status: answer.status, body: await answer.json() };
};
const published = async (): Promise<string[]> =>
  (await messagesOf<{ type: string; data: { document_id: string } }>(broker.url, 'EVT_PAYMENTS'))
    .filter(({ type }) => type === paymentsEvents.paymentCompleted.type)
    .map(({ data }) => data.document_id);

it('completes payments without the broker, refuses one above the balance, and publishes each event once', async () => {
  const [asha, vikram] = [await world.world.addUser('Asha Rao'), await world.world.addUser('Vikram Shah')];
  await signedIn([asha, vikram]);
  await deals.topUp(asha, 100, ['verify']);
  const documents = [await deals.shareOut([asha, vikram], [50, 50]), await deals.shareOut([asha], [100])];

  await broker.kill();
  await until('both are disconnected', () =>
    [wallet, payments].every(({ foundation }) => foundation.bus.status() === 'disconnected'),
  );
  for (const id of documents)
    expect(await pay(asha, id)).toMatchObject({ status: 200, body: { status: 'completed' } });
  expect(await pay(vikram, documents[0] ?? '')).toMatchObject({
    status: 402,
    body: { code: 'insufficient_balance' },
  });
  expect([wallet, payments].map(({ foundation }) => foundation.bus.status())).toEqual([
    'disconnected',
    'disconnected',
  ]);

  await broker.start();
  await until('both are connected', () =>
    [wallet, payments].every(({ foundation }) => foundation.bus.status() === 'connected'),
  );
  await until('both events are published', async () => (await published()).length >= 2);
  expect((await published()).sort()).toEqual([...documents].sort());
  await settled(world);
  expect(await faultsOf(world, deals.reported)).toEqual([]);
});
