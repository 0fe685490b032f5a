import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBroker, type TestBroker } from '@karaar/testing/servers/broker';
import { testNats } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import pg from 'pg';
import { registry } from '@karaar/observability/telemetry';
import { claim, markPublished } from './outbox-store.ts';
import { sorted, startService, upTo, type TestService } from '../testing/fixture.ts';

let natsUrl: string;
let service: TestService;
beforeEach(async () => {
  natsUrl = await testNats();
});
afterEach(async () => {
  await service.close();
});

const stored = async () => (await service.bus.link.jsm.streams.info('EVT_LEDGER')).state.messages;
const allPublished = () =>
  until('all are published', async () => (await service.count('outbox', 'published_at is null')) === 0);

describe('the relay', () => {
  it('shares the work with other relays without publishing anything twice', async () => {
    service = await startService(natsUrl, { relay: false, outbox: { batch: 20 } });
    await sql`
      insert into outbox (id, subject, type, version, aggregate_id, aggregate_version, data)
      select uuidv7(), 'evt.ledger.entry.added.v1', 'ledger.entry.added', 1, 'a', n, json_build_object('n', n)
      from generate_series(1, 1000) n`.execute(service.db);
    await service.listen({ concurrency: 4 });
    for (let n = 0; n < 4; n += 1) service.relay({}, await service.connect()).start();
    await allPublished();
    expect(await stored()).toBe(1_000);
    expect(await service.count('outbox', 'attempts <> 1')).toBe(0);
    await until('all are applied', async () => (await service.effects()).length >= 1_000);
    expect(sorted(await service.effects())).toEqual(upTo(1_000));
  });

  it('loses unfinished events to another relay when the lease ends', async () => {
    service = await startService(natsUrl, { relay: false });
    await service.say([1]);
    const begin = performance.now();
    await sql`update outbox set leased_until = now() + interval '1 second', attempts = 1`.execute(service.db);
    service.outbox.start();
    await allPublished();
    expect(performance.now() - begin).toBeGreaterThan(800);
  });

  it('publishes again after a crash before it recorded the outcome, and the event is applied once', async () => {
    service = await startService(natsUrl, { relay: false });
    await service.listen();
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../testing/relay-process.ts', import.meta.url)), service.url, natsUrl],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const blocker = new pg.Client({ connectionString: service.url });
    await blocker.connect();
    try {
      await once(child.stdout, 'data');
      await service.say([1]);
      await allPublished();
      // From here on it can read the events to publish, but not record the outcome.
      await blocker.query('begin; lock table outbox_stream in exclusive mode');
      await service.say([2]);
      await until('it is in the stream', async () => (await stored()) === 2);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await blocker.query(`
        select pg_terminate_backend(pid, 10_000) from pg_stat_activity
        where usename = current_user and application_name = 'relay-process' and pid <> pg_backend_pid()`);
      await blocker.query('rollback');
      expect(await service.count('outbox', 'published_at is null')).toBe(1);

      await sql`update outbox set leased_until = now()`.execute(service.db);
      service.outbox.start();
      await allPublished();
      await until('both are applied', async () => (await service.effects()).length >= 2);
      expect(await service.effects()).toEqual([1, 2]);
      // The broker knew the id, so it did not store the event twice.
      expect(await stored()).toBe(2);
      expect(await service.count('outbox', 'attempts = 2')).toBe(1);
    } finally {
      child.kill('SIGKILL');
      await blocker.end();
    }
  });

  it('ignores an acknowledgement of a stream that has been replaced since', async () => {
    service = await startService(natsUrl, { relay: false });
    await service.say([1]);
    const [row] = await claim(service.db, 1, 1_000);
    await sql`insert into outbox_stream values ('EVT_LEDGER', 'the new one', 0)`.execute(service.db);
    const ack = { id: row?.id ?? '', stream: 'EVT_LEDGER', seq: 7 };
    await markPublished(service.db, [{ ...ack, created: 'the old one' }]);
    expect(await service.count('outbox', 'published_at is not null')).toBe(0);
    await markPublished(service.db, [{ ...ack, created: 'the new one' }]);
    expect(await service.count('outbox', 'published_at is not null')).toBe(1);
    expect(await service.count('outbox_stream', 'last_seq = 7')).toBe(1);
  });

  it('finishes its round when it stops', async () => {
    service = await startService(natsUrl);
    await service.say(upTo(50));
    await service.outbox.stop();
    expect(await service.count('outbox', 'leased_until is not null and published_at is null')).toBe(0);
    service.outbox.start();
    await allPublished();
    expect(await stored()).toBe(50);
  });

  it('continues after a database outage', async () => {
    service = await startService(natsUrl);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where usename = current_user and application_name = 'bus-test' and pid <> pg_backend_pid()`.execute(
      service.db,
    );
    await service.say([1]);
    await allPublished();
  });
});

describe('maintenance', () => {
  it('publishes again from a date on, and consumers skip applied events', async () => {
    service = await startService(natsUrl);
    await service.listen();
    await service.say(upTo(6));
    await allPublished();
    await until('all are applied', async () => (await service.effects()).length === 6);
    await sql`
      update outbox set occurred_at = now() - interval '10 days' where (data->>'n')::int <= 2`.execute(
      service.db,
    );
    // As after a data loss: the stream is empty and the broker has forgotten the ids.
    const { jsm } = service.bus.link;
    await jsm.streams.update('EVT_LEDGER', { duplicate_window: 100_000_000 });
    await jsm.streams.purge('EVT_LEDGER');
    await sleep(300);
    expect(await service.outbox.republish({ from: new Date(Date.now() - 86_400_000) })).toBe(4);
    await until('they are in the stream again', async () => (await stored()) === 4);
    expect(await service.outbox.republish()).toBeGreaterThanOrEqual(2);
    await allPublished();
    await sleep(300);
    expect(await service.effects()).toEqual(upTo(6));
    await service.listen({ handlerName: 'new' });
    await until('a new handler sees all', async () => new Set(await service.effects('new')).size === 6);
  });
});

describe('an event that cannot be published', () => {
  let broker: TestBroker;
  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(() => broker.remove());

  it('is parked after its last attempt, shown in a metric, never dropped, and can be released', async () => {
    // A broker without streams is reachable but rejects the event.
    await broker.kill();
    await broker.start({ jetstream: false });
    service = await startService(broker.url, { outbox: { maxAttempts: 3, backoffMs: () => 50 } });
    await service.say([1, 2]);
    await until(
      'they are parked',
      async () => (await service.count('outbox', 'parked_at is not null')) === 2,
    );
    expect(await service.count('outbox', 'attempts = 3 and last_error is not null')).toBe(2);
    await service.say([3]);
    await service.outbox.stop();
    service.outbox.start();
    await sleep(500);
    expect(await service.count('outbox', 'published_at is not null')).toBe(0);

    const metrics = service.relay();
    metrics.start();
    await until('the metric shows it', async () =>
      /outbox_parked\{service="ledger"\} [23]/.test(await registry.metrics()),
    );

    await broker.kill();
    await broker.start();
    await until('the bus is back', () => service.bus.status() === 'connected');
    const { rows } = await sql<{ id: string }>`select id from outbox where (data->>'n')::int = 1`.execute(
      service.db,
    );
    expect(await service.outbox.unpark(rows.map((row) => row.id))).toBe(1);
    await until(
      'the first is out',
      async () => (await service.count('outbox', `published_at is not null and data->>'n' = '1'`)) === 1,
    );
    await service.outbox.unpark();
    await allPublished();
    expect(await stored()).toBe(3);
  });

  it('does not count attempts during an outage', async () => {
    service = await startService(broker.url, {
      outbox: { maxAttempts: 2, backoffMs: () => 50, publishTimeoutMs: 300 },
    });
    await service.say([1]);
    await allPublished();
    await broker.kill();
    await service.say([2, 3]);
    await sleep(2_000);
    expect(await service.count('outbox', 'parked_at is not null')).toBe(0);
    await broker.start();
    await allPublished();
    expect(await stored()).toBe(3);
  });
});
