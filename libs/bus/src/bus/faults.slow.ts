import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { startProxy } from '@karaar/testing/servers/proxy';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { registry } from '@karaar/observability/telemetry';
import { sorted, startService, upTo, type TestService } from './testing/fixture.ts';

jest.setTimeout(120_000);

let broker: TestBroker;
let service: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  broker = await startBroker();
  service = await startService(broker.url, {
    outbox: { publishTimeoutMs: 500, leaseMs: 2_000, backoffMs: () => 100 },
  });
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await service.close();
  await broker.remove();
});

const stored = async () => (await service.bus.link.jsm.streams.info('EVT_LEDGER')).state.messages;
const allPublished = () =>
  until(
    'all are published',
    async () => (await service.count('outbox', 'published_at is null')) === 0,
    60_000,
  );
const applied = (count: number, handler = 'notes') =>
  until(`${count} applied`, async () => (await service.effects(handler)).length >= count, 60_000);
const noticed = () => until('the outage is noticed', () => service.bus.status() === 'disconnected');
const back = () => until('the bus is back', () => service.bus.status() === 'connected');
const rebuilds = async () => {
  const line = /outbox_stream_rebuilds_total\{service="ledger"\} (\d+)/.exec(await registry.metrics());
  return Number(line?.[1] ?? 0);
};

describe('a broker killed between publish and acknowledgement', () => {
  it('loses and duplicates nothing when it had not stored the event', async () => {
    await service.listen();
    await service.say([1]);
    await applied(1);
    await broker.freeze();
    await service.say([2]);
    await until(
      'it is sent',
      async () => (await service.count('outbox', 'attempts > 0 and published_at is null')) === 1,
    );
    await broker.kill();
    await broker.start();
    await applied(2);
    await allPublished();
    expect(await service.effects()).toEqual([1, 2]);
    await until('2 are stored', async () => (await stored()) === 2);
  });

  it('loses and duplicates nothing when it had stored the event', async () => {
    const proxy = await startProxy(broker.port);
    closers.push(() => proxy.close());
    await service.outbox.stop();
    await service.listen();
    const far = service.relay({}, await service.connect('ledger', `nats://127.0.0.1:${proxy.port}`));
    far.start();
    await service.say([1]);
    await applied(1);
    proxy.loseReplies();
    await service.say([2]);
    await until('the broker has stored it', async () => (await stored()) === 2);
    expect(await service.count('outbox', 'published_at is null')).toBe(1);
    await broker.kill();
    await noticed();
    proxy.reset();
    await broker.start();
    await allPublished();
    await applied(2);
    await sleep(500);
    expect(await service.effects()).toEqual([1, 2]);
    await until('2 are stored', async () => (await stored()) === 2);
  });

  it('loses and duplicates nothing in a flow of events, however often it is killed', async () => {
    await service.listen({ concurrency: 3 });
    service.relay({}, await service.connect()).start();
    await service.listen({ concurrency: 3 }, await service.connect());
    const total = 600;
    let done = false;
    const talking = (async () => {
      for (let n = 1; n <= total; n += 1) {
        await service.say([n]);
        await sleep(8);
      }
      done = true;
    })();
    let kills = 0;
    while (!done) {
      await sleep(300 + Math.random() * 500);
      await broker.kill();
      kills += 1;
      await sleep(Math.random() * 300);
      await broker.start();
    }
    await talking;
    await allPublished();
    await applied(total);
    await sleep(1_000);
    expect(kills).toBeGreaterThanOrEqual(4);
    expect(sorted(await service.effects())).toEqual(upTo(total));
    expect(await service.count('dead_letter')).toBe(0);
    expect(await service.count('outbox', 'parked_at is not null')).toBe(0);
  });
});

describe('a broker that lost its state', () => {
  it('gets every event again when its disk is gone; effects happen once', async () => {
    await service.listen();
    await service.say(upTo(20));
    await applied(20);
    await allPublished();
    const before = await rebuilds();
    await broker.kill();
    await noticed();
    broker.wipe();
    await service.say([21]);
    await broker.start();
    await applied(21);
    await until('the stream is whole', async () => (await stored()) === 21);
    expect(await rebuilds()).toBe(before + 1);
    await service.listen({ handlerName: 'new' });
    await applied(21, 'new');
    expect(sorted(await service.effects())).toEqual(upTo(21));
    expect(sorted(await service.effects('new'))).toEqual(upTo(21));
  });

  it('gets acknowledged events again when its stream was truncated below the position of its consumers', async () => {
    await service.listen();
    await service.say(upTo(5));
    await applied(5);
    await allPublished();
    await broker.kill();
    broker.save();
    await broker.start();
    await back();
    await service.say([6, 7, 8]);
    await applied(8);
    await allPublished();
    await broker.kill();
    await noticed();
    // As after a power cut: the last writes never reached the disk.
    broker.restore();
    await broker.start();
    await until('the stream is whole', async () => (await stored()) === 8);
    await service.say([9, 10]);
    await applied(10);
    await service.listen({ handlerName: 'new' });
    await applied(10, 'new');
    expect(sorted(await service.effects())).toEqual(upTo(10));
    expect(sorted(await service.effects('new'))).toEqual(upTo(10));
  });

  it('gets them once, however many relays notice', async () => {
    for (let n = 0; n < 3; n += 1) service.relay({}, await service.connect()).start();
    await service.say(upTo(30));
    await allPublished();
    const before = await rebuilds();
    await broker.kill();
    await noticed();
    broker.wipe();
    await broker.start();
    await until('the stream is whole', async () => (await stored()) === 30);
    await allPublished();
    await sleep(1_500);
    await until('30 are stored', async () => (await stored()) === 30);
    expect(await rebuilds()).toBe(before + 1);
  });

  it('is noticed while connected too, when another client deletes the stream', async () => {
    await service.listen();
    await service.say([1, 2]);
    await applied(2);
    await allPublished();
    await service.bus.link.jsm.streams.delete('EVT_LEDGER');
    await service.say([3]);
    await applied(3);
    await allPublished();
    expect(await service.effects()).toEqual([1, 2, 3]);
  });
});

describe('a service that is killed', () => {
  it('applies each event once, however often it is killed between commit and acknowledgement', async () => {
    const run = async () => {
      const child = spawn(
        process.execPath,
        [fileURLToPath(new URL('./testing/consumer-process.ts', import.meta.url)), service.url, broker.url],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      closers.push(async () => void child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      return child;
    };
    const total = 2_000;
    await service.say(upTo(total));
    for (let round = 0; round < 4; round += 1) {
      const child = await run();
      await sleep(200 + Math.random() * 300);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    const before = (await service.effects()).length;
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(total);
    await run();
    await applied(total);
    await sleep(1_500);
    expect(sorted(await service.effects())).toEqual(upTo(total));
  });
});

describe('a database that drops its connections', () => {
  it('loses and duplicates nothing', async () => {
    await service.listen({ concurrency: 3, maxDeliveries: 1_000 });
    const total = 300;
    const sent = new Set<number>();
    const talking = (async () => {
      for (let n = 1; n <= total; n += 1) {
        // The outcome of an interrupted commit is unknown; the table shows it.
        await service.say([n]).catch(() => undefined);
        await sleep(5);
      }
      sent.add(total);
    })();
    while (sent.size === 0) {
      await sleep(250);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where usename = current_user and application_name = 'bus-test' and pid <> pg_backend_pid()`
        .execute(service.db)
        .catch(() => undefined);
    }
    await talking;
    const { rows } = await sql<{ n: number }>`select (data->>'n')::int as n from outbox`.execute(service.db);
    const recorded = sorted(rows.map((row) => row.n));
    expect(recorded.length).toBeGreaterThan(total / 2);
    await allPublished();
    await applied(recorded.length);
    await sleep(500);
    expect(sorted(await service.effects())).toEqual(recorded);
  });
});
