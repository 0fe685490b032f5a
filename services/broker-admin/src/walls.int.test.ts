/**
 * The broker's permissions for each service, with the broker admin and services connected as the users of the
 * contracts.
 */
import { PUBLISHERS } from '@karaar/contracts/names';
import { brokerRpc } from '@karaar/contracts/broker/rpc';
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { natsUrlOf } from '@karaar/testing/backing/nats';
import type { BrokerUser } from '@karaar/contracts/broker/rights';
import { connectBus, type Bus } from '@karaar/bus';
import { createLogger } from '@karaar/observability/logging';
import { testNats } from '@karaar/testing/harness';
import { connectTo } from '@karaar/testing/servers/nats';
import { until } from '@karaar/testing/until';
import { createInbox, type NatsConnection } from '@nats-io/transport-node';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const closing: (() => Promise<unknown>)[] = [];
let broker: string;
let stopped: string[];
let payments: Bus;
let messaging: NatsConnection;

const as = (user: BrokerUser): string => natsUrlOf(broker, user, () => '');
const bare = async (user: BrokerUser): Promise<NatsConnection> => {
  const connection = await connectTo(as(user));
  closing.push(() => connection.close());
  return connection;
};
const busOf = async (user: BrokerUser): Promise<Bus> => {
  const bus = await connectBus({ url: as(user), name: user, logger });
  closing.push(() => bus.close());
  return bus;
};

beforeAll(async () => {
  broker = await testNats();
  const brokerAdmin = await createApp(
    readConfig({
      SERVICE_NAME: 'broker-admin',
      NATS_URL: as('broker-admin'),
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'silent',
    }),
  );
  closing.push(async () => {
    await brokerAdmin.app.close();
    await brokerAdmin.close();
  });
  expect((await fetch(`${brokerAdmin.url}/readyz`)).status).toBe(200);
  const owner = await connectTo(broker);
  closing.push(() => owner.close());
  // The broker admin reports ready before it has created the streams.
  await until('the streams are made', async () => {
    const listed = await owner.request('$JS.API.STREAM.NAMES', '{}');
    return listed.json<{ total: number }>().total >= PUBLISHERS.length;
  });
  payments = await busOf('payments');
  await payments.serve(paymentsRpc.stopCharge, async ({ document_id }, { caller }) => {
    stopped.push(`${caller} ${document_id}`);
    return { taken: [] };
  });
  messaging = await bare('messaging');
}, 60_000);
beforeEach(() => (stopped = []));
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

const charge = { document_id: 'one', version: 1 };
/** The broker's answer to a request from messaging: a reply or an error. */
const refused = async (subject: string, payload: unknown = {}): Promise<string> => {
  const reply = createInbox('_INBOX_messaging');
  const answer = messaging.request(subject, JSON.stringify(payload), { noMux: true, reply, timeout: 2_000 });
  return answer.then(
    (message) => `answered ${message.string()}`,
    (error: unknown) => String((error as Error).cause ?? error),
  );
};

it('lets documents stop a charge', async () => {
  const documents = await busOf('documents');
  await expect(documents.request(paymentsRpc.stopCharge, charge)).resolves.toEqual({ taken: [] });
  expect(stopped).toEqual(['documents one']);
});

it('refuses the same request from messaging, in its own name, in the name of documents and without a name', async () => {
  for (const caller of ['.messaging', '.documents', ''])
    expect(await refused(`rpc.payments.stop-charge.v1${caller}`, charge)).toMatch(/permission/i);
  expect(stopped).toEqual([]);
});

it('does not let messaging publish an event of another service', async () => {
  const event = { id: 'x', type: paymentsEvents.paymentCompleted.type, version: 1, data: {} };
  expect(await refused(paymentsEvents.paymentCompleted.subject, event)).toMatch(/permission/i);
  expect(await refused('evt.messaging.admin.acted.v1', event)).toMatch(
    /^answered .*"stream":"EVT_MESSAGING"/,
  );
});

it('does not let messaging change or read streams, not even its own', async () => {
  for (const stream of ['EVT_WALLET', 'EVT_MESSAGING'])
    for (const verb of ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET'])
      expect(await refused(`$JS.API.STREAM.${verb}.${stream}`, { name: stream })).toMatch(/permission/i);
  const consumer = '$JS.API.CONSUMER.CREATE.EVT_WALLET.mine.evt.wallet.card.changed.v1';
  expect(await refused(consumer)).toMatch(/permission/i);
  expect(await refused('$JS.API.CONSUMER.MSG.NEXT.EVT_WALLET.payments__card-movements__x')).toMatch(
    /permission/i,
  );
});

it('does not let a service subscribe to messages for others', async () => {
  for (const subject of ['>', 'evt.>', 'rpc.>', '_INBOX_payments.>', '_INBOX.>']) {
    const heard = await new Promise<string>((resolve) => {
      messaging.subscribe(subject, { callback: (error) => resolve(String(error?.message)) });
    });
    expect({ subject, heard }).toEqual({ subject, heard: expect.stringMatching(/permission/i) });
  }
});

it('creates only consumers that the contracts name', async () => {
  const documents = await busOf('documents');
  const request = { handler: 'card-movements', type: 'wallet.card.changed', version: 1, ack_wait_ms: 30_000 };
  await expect(documents.request(brokerRpc.ensureConsumer, request)).rejects.toMatchObject({ status: 403 });
  await expect(payments.request(brokerRpc.ensureConsumer, request)).resolves.toEqual({});
});

it('sends answers to the inbox of the caller only', async () => {
  const documents = await bare('documents');
  // If payments answered to that subject, it would publish a false event in its own name.
  documents.publish('rpc.payments.stop-charge.v1.documents', JSON.stringify(charge), {
    reply: 'evt.payments.payment.completed.v1',
  });
  await documents.flush();
  const other = await busOf('documents');
  await other.request(paymentsRpc.stopCharge, { ...charge, document_id: 'the next' });
  expect(stopped).toEqual(['documents the next']);
});

it('recreates lost streams', async () => {
  const all = await connectTo(broker);
  closing.push(() => all.close());
  await all.request('$JS.API.STREAM.DELETE.EVT_PAYMENTS');
  const made = await payments.request(brokerRpc.ensureStream, {});
  expect(made.last_seq).toBe(0);
  await until('it is there', async () => {
    const info = await all.request('$JS.API.STREAM.INFO.EVT_PAYMENTS');
    return info.json<{ created?: string }>().created === made.created;
  });
  const renewed = await payments.request(brokerRpc.renewStream, { created: made.created });
  expect(renewed.created).not.toBe(made.created);
  await expect(payments.request(brokerRpc.renewStream, { created: made.created })).resolves.toEqual(renewed);
});

it('empties all streams for the operator only', async () => {
  for (const caller of ['.messaging', '.ops', ''])
    expect(await refused(`rpc.broker.empty-streams.v1${caller}`)).toMatch(/permission/i);
  const before = await payments.request(brokerRpc.ensureStream, {});
  const ops = await busOf('ops');
  const { streams } = await ops.request(brokerRpc.emptyStreams, {});
  expect(streams).toBeGreaterThan(0);
  expect((await payments.request(brokerRpc.ensureStream, {})).created).not.toBe(before.created);
});
