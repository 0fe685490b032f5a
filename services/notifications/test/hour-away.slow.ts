/**
 * 100,000 e-mails and as many SMS wait while the mail server and the SMS provider are down for an hour. The mail
 * worker's longest pause is shortened
 * from a minute to 0.3 s (`MAIL_LONGEST_REST_MS`), so 18 s of the test have as many attempts as an hour.
 */
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { startBrokerAdmin } from '@karaar/bus';
import { startTestMail } from '@karaar/testing/providers/mail';
import { serviceProcess, type ServiceProcess } from '@karaar/testing/servers/service-process';
import { startServiceWorld, type ServiceWorld, type WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import pg from 'pg';
import { AT_ONCE } from '../src/features/deliveries/delivery.worker.ts';
import { envOf, serveDocuments } from './api.ts';
import { bundledService } from './bundled.ts';
import { CountingMailbox } from './counting-mailbox.ts';

jest.setTimeout(1_200_000);

const WAITING = 100_000;
const REST_MS = 300;
const AWAY_MS = 60 * REST_MS;
const PER_SECOND = 100;
const DRAINED = 1_000;
const NEWS = 20;
/** A batch takes ten rows, each of which may open a connection; the pauses grow from the first failure on. */
const MOST_TRIES = 60 * 10 + 100;
const MOST_MORE_MB = 64;
/**
 * Node uses as much memory as it may. With a small heap, a process that held all waiting e-mails would crash.
 */
const HEAP = '--max-old-space-size=96 --max-semi-space-size=4';
/** The number of waiting e-mails in the run for comparison. */
const FEW = 100;

let world: ServiceWorld;
let part: ServiceProcess;
let db: pg.Client;
let port: number;
let closeAway: () => Promise<void>;
let tries = 0;

beforeAll(async () => {
  world = await startServiceWorld('notifications-hour', { service: 'notifications', startBrokerAdmin });
  await serveDocuments(world, randomUUID);
  ({ port, close: closeAway } = await startAway());
  const main = await bundledService(world.folder);
  part = await serviceProcess(main, {
    ...envOf(world, port),
    HOST: '127.0.0.1',
    NODE_OPTIONS: HEAP,
    MAIL_LONGEST_REST_MS: String(REST_MS),
    MAILS_PER_SECOND: String(PER_SECOND),
    TEXTS_PER_RECEIVER_AND_DAY: String(WAITING),
  });
  await part.start();
  db = new pg.Client({ connectionString: world.ownerUrl });
  await db.connect();
}, 300_000);
afterAll(async () => {
  await part.kill();
  await db.end();
  await world.stop();
}, 60_000);

/** Starts a server that accepts connections and closes each at once. */
async function startAway() {
  const server = createServer((socket) => {
    tries += 1;
    socket.on('error', () => undefined);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function megabytes(): Promise<number> {
  const status = await readFile(`/proc/${part.pid()}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

const count = async (from: string) =>
  Number((await db.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`)).rows[0]?.n);

/** Returns the second slowest of `times` requests for the list of notifications, in milliseconds. */
async function answerMs(reader: WorldUser, times: number): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const began = performance.now();
    const response = await fetch(`${part.url}/notifications`, { headers: reader.headers });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    all.push(performance.now() - began);
  }
  return all.sort((a, b) => a - b)[Math.floor(times * 0.99) - 1] ?? 0;
}

async function seed(count: number, { userId }: WorldUser): Promise<void> {
  await db.query(
    `INSERT INTO notifications (id, user_id, kind, event_id, document_id, in_app)
     SELECT uuidv7(), $1, 'sealed', gen_random_uuid(), gen_random_uuid(), true FROM generate_series(1, ${count})`,
    [userId],
  );
  await db.query(
    `INSERT INTO deliveries (id, notification_id, channel)
     SELECT uuidv7(), n.id, channel FROM notifications n, unnest(ARRAY['email', 'sms']) channel
     WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.notification_id = n.id)`,
  );
}

/**
 * Reads the list for `ms` milliseconds, and returns the peak memory and the median of the rounds' 99th
 * percentiles.
 */
async function readFor(ms: number, reader: WorldUser): Promise<{ mb: number; p99: number }> {
  const end = Date.now() + ms;
  const p99s: number[] = [];
  let mb = 0;
  while (Date.now() < end) {
    p99s.push(await answerMs(reader, 100));
    mb = Math.max(mb, await megabytes());
    await sleep(500);
  }
  return { mb, p99: p99s.sort((x, y) => x - y)[Math.floor(p99s.length / 2)] ?? 0 };
}

const invite = (from: WorldUser, to: WorldUser) =>
  world.publish(documentsEvents.changed, {
    document_id: randomUUID(),
    status: 'pending',
    primary_user: from.userId,
    involved_users: [],
    change: 'party.invited',
    actor_id: from.userId,
    subject_id: to.userId,
  });

it('keeps memory and rate within limits, and the list of notifications as fast as before', async () => {
  const [asha, vikram, reader] = [
    await world.addUser('Asha Rao'),
    await world.addUser('Vikram Shah'),
    await world.addUser('Meera Nair'),
  ];
  // The first run has only a few waiting e-mails, so that the comparison shows the cost of the waiting ones.
  await seed(FEW, vikram);
  const few = await readFor(AWAY_MS, reader);
  await seed(WAITING, vikram);
  tries = 0;
  for (let i = 0; i < NEWS; i += 1) await invite(asha, reader);
  const many = await readFor(AWAY_MS, reader);
  const tried = tries;
  const response = await fetch(`${part.url}/notifications/unread-count`, { headers: reader.headers });
  const { unread_count: unreadCount } = (await response.json()) as { unread_count: number };
  // The server is back: the service respects the rate limit and sends each e-mail once.
  const mailbox = new CountingMailbox();
  await closeAway();
  const mail = await startTestMail({ port, mailbox });
  const backAt = Date.now();
  await until('some are sent', () => mailbox.seen.size >= DRAINED, 600_000);
  const perSecond = mailbox.seen.size / ((Date.now() - backAt) / 1_000);
  await part.kill();
  await mail.stop();
  const figures = {
    waiting: WAITING + FEW,
    tries: tried,
    memory_few_mb: Math.round(few.mb),
    memory_many_mb: Math.round(many.mb),
    p99_few_ms: Math.round(few.p99),
    p99_many_ms: Math.round(many.p99),
    told_meanwhile: unreadCount,
    mails_per_second: Math.round(perSecond),
    arrivals: mailbox.arrivals,
    mails: mailbox.seen.size,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(await count(`deliveries WHERE state IN ('failed', 'skipped')`)).toBe(0);
  expect(await count(`deliveries WHERE channel = 'email'`)).toBe(WAITING + FEW + NEWS);
  expect(await count(`deliveries WHERE channel = 'sms'`)).toBe(WAITING + FEW);
  // The SMS worker tries a few rows at growing pauses, and when an event wakes it. No attempt counts.
  const triedSms = await count(`deliveries WHERE channel = 'sms' AND reason IS NOT NULL`);
  expect(triedSms).toBeGreaterThan(0);
  expect(triedSms).toBeLessThanOrEqual(AT_ONCE * (NEWS + 10));
  expect(await count(`deliveries WHERE channel = 'sms' AND state = 'queued' AND attempts > 0`)).toBe(0);
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThan(MOST_TRIES);
  expect(many.mb - few.mb).toBeLessThan(MOST_MORE_MB);
  expect(unreadCount).toBe(NEWS);
  expect(perSecond).toBeLessThan(PER_SECOND * 1.2);
  expect(figures.arrivals).toBe(figures.mails);
});
