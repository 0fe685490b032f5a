import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { unprocessable } from '@karaar/base/errors';
import { registry } from '@karaar/observability/telemetry';
import { PoisonMessage } from '../index.ts';
import { added, note, sorted, upTo } from '../testing/fixture.ts';
import { envelope, happened, publish, quiet, service } from '../testing/events.ts';

describe('a temporary fault', () => {
  it('delays the event longer each time without blocking others', async () => {
    const at: number[] = [];
    const asked: number[] = [];
    await service.listen({
      backoffMs: (delivery) => {
        asked.push(delivery);
        return 200 * delivery;
      },
      handle: async (event, tx) => {
        if (event.data.n === 1) {
          at.push(performance.now());
          if (at.length < 4) throw new Error('database is busy');
        }
        await note(tx, 'notes', event.data.n);
      },
    });
    await service.say([1, 2, 3]);
    await happened([1, 2, 3]);
    expect(await service.effects()).toEqual([2, 3, 1]);
    expect(asked).toEqual([1, 2, 3]);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    gaps.forEach((gap, index) => expect(gap).toBeGreaterThanOrEqual(200 * (index + 1) - 20));
  });

  it('makes a dead letter if it persists, which can be applied later', async () => {
    let broken = true;
    const consumption = await service.listen({
      maxDeliveries: 3,
      handle: async (event, tx) => {
        if (broken && event.data.n === 2) throw new Error('still down');
        await note(tx, 'notes', event.data.n);
      },
    });
    await service.say([1, 2, 3]);
    await until('it is given up', async () => (await service.count('dead_letter')) === 1);
    expect(await service.effects()).toEqual([1, 3]);
    const { rows } = await sql`select handler, subject, reason, deliveries from dead_letter`.execute(
      service.db,
    );
    expect(rows).toEqual([
      { handler: 'notes', subject: added.subject, reason: 'Error: still down', deliveries: 3 },
    ]);

    expect(await consumption.retryDeadLetters()).toEqual({ applied: 0, failed: 1 });
    broken = false;
    expect(await consumption.retryDeadLetters()).toEqual({ applied: 1, failed: 0 });
    expect(await service.effects()).toEqual([1, 3, 2]);
    expect(await service.count('dead_letter')).toBe(0);
    expect(await consumption.retryDeadLetters()).toEqual({ applied: 0, failed: 0 });
  });

  it('includes a handler that never returns', async () => {
    let runs = 0;
    let release: () => void = () => undefined;
    const hang = new Promise<void>((resolve) => (release = resolve));
    await service.listen({
      handlerTimeoutMs: 300,
      handle: async (event, tx) => {
        runs += 1;
        if (runs === 1) await hang;
        await note(tx, 'notes', event.data.n);
      },
    });
    await service.say([1]);
    // The hung transaction locks the inbox row until the database's idle timeout, so end it here.
    await until('it hangs', async () => runs === 1);
    await sleep(400);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where state = 'idle in transaction' and usename = current_user and application_name = 'bus-test'`.execute(
      service.db,
    );
    await happened([1]);
    release();
    await quiet();
    expect(await service.effects()).toEqual([1]);
  });
});

describe('a poison message', () => {
  const buried = (count: number) =>
    until(`${count} dead letters`, async () => (await service.count('dead_letter')) === count);

  it('becomes a dead letter at once: malformed, of another type, or in breach of the contract', async () => {
    let calls = 0;
    await service.listen({
      handle: async (event, tx) => {
        calls += 1;
        await note(tx, 'notes', event.data.n);
      },
    });
    await publish('{ not json', 'p1');
    await publish({ hello: 'world' }, 'p2');
    await publish({ ...envelope(1), version: 2 }, 'p3');
    await publish({ ...envelope(1), data: { n: 'secret-value' } }, 'p4');
    await publish(envelope(5));
    await buried(4);
    await happened([5]);
    expect(calls).toBe(1);
    const { rows } = await sql<{ event_id: string; reason: string; message: string; deliveries: number }>`
      select event_id, reason, message, deliveries from dead_letter order by event_id`.execute(service.db);
    expect(rows.map((row) => row.event_id)).toEqual(['p1', 'p2', 'p3', 'p4']);
    expect(rows.map((row) => row.reason)).toEqual([
      'PoisonMessage: not JSON',
      expect.stringMatching(/^PoisonMessage: not an envelope: .*aggregateId is required/),
      'PoisonMessage: is not ledger.entry.added v1',
      'PoisonMessage: data: n must be a whole number',
    ]);
    expect(rows.every((row) => row.deliveries === 1)).toBe(true);
    // The message is stored for repair; the reason, which is also logged, never quotes it.
    expect(rows[3]?.message).toContain('secret-value');
    expect(rows[3]?.reason).not.toContain('secret-value');
  });

  it('includes a handler’s PoisonMessage, and an AppError that a retry cannot help', async () => {
    await service.listen({
      handle: async (event, tx) => {
        await note(tx, 'notes', event.data.n);
        if (event.data.n === 1) throw new PoisonMessage('no such ledger');
        if (event.data.n === 2) throw unprocessable('bad', 'This cannot be.');
      },
    });
    await service.say([1, 2, 3]);
    await buried(2);
    await happened([3]);
    expect(await service.effects()).toEqual([3]);
    expect(await service.count('inbox')).toBe(1);
  });

  it('is not delivered again, also after a restart of the consumer', async () => {
    let calls = 0;
    const options = {
      ackWaitMs: 500,
      handle: async () => {
        calls += 1;
        throw new PoisonMessage('never');
      },
    };
    const first = await service.listen(options);
    await service.say([1]);
    await buried(1);
    await first.stop();
    await service.listen(options);
    await sleep(1_500);
    expect(calls).toBe(1);
  });

  it('is counted in a metric', async () => {
    await service.listen({
      handlerName: 'counted',
      handle: async () => {
        throw new PoisonMessage('never');
      },
    });
    await service.say([1]);
    await buried(1);
    await until('the metric shows it', async () =>
      (await registry.metrics()).includes(
        'bus_events_handled_total{service="ledger",handler="counted",outcome="dead"} 1',
      ),
    );
  });
});

describe('a consumer', () => {
  it('returns unstarted events when it stops, and finishes started ones', async () => {
    let running = 0;
    const slow = await service.listen({
      handle: async (event, tx) => {
        running += 1;
        await sleep(500);
        await note(tx, 'notes', event.data.n);
      },
    });
    await service.say(upTo(10));
    await until('one is under way', () => running === 1);
    await slow.stop();
    expect(await service.effects()).toEqual([1]);
    await service.listen();
    // Sooner than the broker's ack_wait of 30 s, because the consumer returned them.
    await happened(upTo(10));
    expect(sorted(await service.effects())).toEqual(upTo(10));
  });

  it('keeps an event that takes longer than ack_wait', async () => {
    let calls = 0;
    await service.listen({
      ackWaitMs: 600,
      handle: async (event, tx) => {
        calls += 1;
        await sleep(2_000);
        await note(tx, 'notes', event.data.n);
      },
    });
    await service.say([1]);
    await happened([1]);
    await sleep(800);
    expect(calls).toBe(1);
  });

  it('is created again when the broker lost it', async () => {
    await service.listen();
    await service.say([1]);
    await happened([1]);
    const { jsm } = service.bus.link;
    await jsm.consumers.delete('EVT_LEDGER', 'ledger__notes__ledger_entry_added_v1');
    await service.say([2]);
    await happened([1, 2]);
    expect(await service.effects()).toEqual([1, 2]);
  });

  it('handles as many events concurrently as configured', async () => {
    let running = 0;
    let most = 0;
    await service.listen({
      concurrency: 3,
      handle: async (event, tx) => {
        running += 1;
        most = Math.max(most, running);
        await sleep(100);
        await note(tx, 'notes', event.data.n);
        running -= 1;
      },
    });
    await service.say(upTo(12));
    await happened(upTo(12));
    expect(most).toBe(3);
  });
});
