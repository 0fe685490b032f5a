/** An operator lists, retries and drops dead letters by a process and a real broker. */
import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { walletEvents } from '@karaar/contracts/wallet/events';
import { startBrokerAdmin, type BrokerAdmin } from '@karaar/bus';
import { createDb, migrateToLatest, uuidv7 } from '@karaar/db';
import { createLogger } from '@karaar/observability/logging';
import { startApi, type Api } from '@karaar/service-payments/test/api';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { tables } from '../src/databases.ts';
import { karaar } from './karaar.ts';

jest.setTimeout(120_000);

const HANDLER = 'card-movements';
const opened: TestDatabase[] = [];
let broker: TestBroker;
let brokerAdmin: BrokerAdmin;
let payments: Api;
let env: Record<string, string>;

beforeAll(async () => {
  // A separate broker, because the service consumes every event under its real name.
  broker = await startBroker();
  const logger = createLogger({ name: 'broker-admin', level: 'silent' });
  brokerAdmin = await startBrokerAdmin({ url: broker.url, logger });
  payments = await startApi('dead-letters', {
    SERVICE_NAME: 'payments',
    NATS_URL: broker.url,
    LOG_LEVEL: 'silent',
  });
  env = { PAYMENTS_DATABASE_URL: payments.world.ownerUrl, NATS_URL: broker.url };
  for (const [service, { migrations }] of Object.entries(tables)) {
    if (service === 'payments') continue;
    const database = await testPostgres(`dead-letters-${service}`);
    opened.push(database);
    env[`${service.toUpperCase()}_DATABASE_URL`] = database.url;
    const db = createDb<unknown>({ url: database.url, applicationName: 'dead-letters-test' });
    await migrateToLatest(db, migrations);
    await db.destroy();
  }
}, 120_000);
afterAll(async () => {
  await payments.stop();
  await brokerAdmin.close();
  await broker.remove();
  for (const database of opened) await database.drop();
});

const db = () => payments.service.foundation.db;
const tool = (...args: string[]) => karaar(['dead-letters', ...args], env);

/** A top-up event of the wallet. */
const event = (reference: string, change: object = {}) => ({
  id: uuidv7(),
  type: walletEvents.card.type,
  version: 1,
  occurredAt: '2026-11-21T06:00:00.000Z',
  aggregateId: reference,
  aggregateVersion: 1,
  data: {
    reference,
    type: 'top_up',
    user_id: randomUUID(),
    order_id: reference,
    payment_id: null,
    amount_paise: 100,
    status: 'pending',
    created_at: '2026-11-21T06:00:00.000Z',
    ...change,
  },
});

/** Publishes an invalid event, which becomes a dead letter at once. */
async function publishBroken(reference: string): Promise<string> {
  const { id, ...rest } = event(reference, { amount_paise: 'many' });
  const { link } = payments.service.foundation.bus;
  await link.js.publish(walletEvents.card.subject, JSON.stringify({ id, ...rest }), { msgID: id });
  await until('it is a dead letter', async () => (await kept()).includes(id));
  return id;
}

/** Inserts a dead letter that only an earlier version could not apply. */
async function leave(reference: string, handler = HANDLER, createdAt = '2026-11-21'): Promise<string> {
  const message = event(reference);
  await sql`
    INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries, created_at)
    VALUES (${message.id}, ${handler}, ${walletEvents.card.subject}, ${JSON.stringify(message)}, 'Error: once', 30,
      ${createdAt})`.execute(db());
  return message.id;
}

const kept = async (): Promise<string[]> => {
  const { rows } = await sql<{ event_id: string }>`
    SELECT event_id FROM dead_letter ORDER BY created_at, event_id`.execute(db());
  return rows.map(({ event_id }) => event_id);
};
const applied = async (): Promise<string[]> => {
  const { rows } = await sql<{ reference: string }>`SELECT reference FROM card_movements ORDER BY id`.execute(
    db(),
  );
  return rows.map(({ reference }) => reference);
};

afterEach(async () => {
  await sql`DELETE FROM dead_letter`.execute(db());
  await payments.world.asOwner('TRUNCATE card_movements');
});

it('lists letters with the reason, of all services or by a filter', async () => {
  expect(await tool('list')).toEqual({ code: 0, text: '0 dead letters\n' });
  const broken = await publishBroken('order_1');
  const old = await leave('order_2', 'another-handler');
  const all = await tool('list');
  expect(all.text.trim().split('\n')).toEqual([
    expect.stringMatching(
      `^payments another-handler ${old} evt.wallet.card.changed.v1, 30 tries, since 2026-11-2`,
    ),
    expect.stringMatching(`^payments ${HANDLER} ${broken} .*1 tries.*PoisonMessage: data: amount_paise`),
    '2 dead letters',
  ]);
  expect((await tool('list', '--handler', HANDLER)).text).toMatch(/1 dead letters\n$/);
  expect((await tool('list', '--event', old)).text).toMatch(/1 dead letters\n$/);
  expect((await tool('list', '--service', 'wallet')).text).toBe('0 dead letters\n');
});

it('retries letters in the running service, the oldest first, and keeps those that fail again', async () => {
  const broken = await publishBroken('order_3');
  const later = await leave('order_4', HANDLER, '2026-11-20');
  await leave('order_5', HANDLER, '2026-11-19');
  const orphan = await leave('order_6', 'handler-of-before');
  const { code, text } = await tool('retry');
  expect(code).toBe(1);
  expect(text).toMatch(/2 applied, 2 stay\n$/);
  expect(text).toContain(`STAYS: payments ${HANDLER} ${broken}`);
  expect(text).toContain('2 tries');
  expect(text).toContain(`STAYS, no handler of this name: payments handler-of-before ${orphan}`);
  expect(await applied()).toEqual(['order_5', 'order_4']);
  expect(new Set(await kept())).toEqual(new Set([broken, orphan]));
  // An event that was applied has no second effect.
  await sql`INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries)
    VALUES (${later}, ${HANDLER}, ${walletEvents.card.subject},
      ${JSON.stringify({ ...event('order_7'), id: later })}, 'Error: once', 30)`.execute(db());
  expect(await tool('retry', '--event', later)).toMatchObject({ code: 0 });
  expect(await applied()).toEqual(['order_5', 'order_4']);
});

it('reports a service that does not answer, and changes nothing', async () => {
  const url = env['WALLET_DATABASE_URL'] ?? '';
  const wallet = createDb<unknown>({ url, applicationName: 'dead-letters-test' });
  await sql`INSERT INTO dead_letter (event_id, handler, subject, message, reason, deliveries)
    VALUES ('e1', 'a', 'evt.a.b.c.v1', '{}', 'Error: once', 30), ('e2', 'a', 'evt.a.b.c.v1', '{}', 'Error: once', 30)`.execute(
    wallet,
  );
  const { code, text } = await tool('retry', '--service', 'wallet');
  expect([code, text]).toEqual([
    1,
    expect.stringContaining('STAYS, the service does not answer: wallet a e1'),
  ]);
  expect(text).toMatch(/0 applied, 2 stay\n$/);
  await sql`DELETE FROM dead_letter`.execute(wallet);
  await wallet.destroy();
});

it('drops a letter only by its id, and prints its event', async () => {
  const broken = await publishBroken('order_8');
  const other = await leave('order_9');
  for (const words of [[], ['--service', 'payments'], ['--event', broken], ['--service', 'gateway']])
    expect({ words, code: (await tool('drop', ...words)).code }).toEqual({ words, code: 1 });
  expect(await kept()).toHaveLength(2);
  const dropped = await tool('drop', '--service', 'payments', '--event', broken);
  expect(dropped).toEqual({ code: 0, text: expect.stringMatching(`^dropped for ${HANDLER}: .*"many"`) });
  expect(await kept()).toEqual([other]);
  expect((await tool('drop', '--service', 'payments', '--event', broken)).code).toBe(1);
});

it('prints its usage for wrong arguments', async () => {
  for (const words of [[], ['empty'], ['list', '--service', 'nobody']])
    expect(await tool(...words)).toEqual({
      code: 1,
      text: expect.stringMatching(/dead-letters list|is one of auth/),
    });
});
