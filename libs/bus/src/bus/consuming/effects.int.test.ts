import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { inTransaction } from '@karaar/db';
import { registry } from '@karaar/observability/telemetry';
import { PoisonMessage } from '../index.ts';
import { added, note, sorted, upTo, type Added } from '../testing/fixture.ts';
import { envelope, happened, publish, quiet, service } from '../testing/events.ts';

type Tx = Parameters<typeof note>[0];

describe('a batch handler', () => {
  const gathering = () => {
    const sizes: number[] = [];
    return {
      sizes,
      handle: async (event: Added, tx: Tx) => {
        sizes.push(1);
        await note(tx, 'notes', event.data.n);
      },
      handleMany: async (events: Added[], tx: Tx) => {
        sizes.push(events.length);
        for (const event of events) await note(tx, 'notes', event.data.n);
      },
    };
  };

  it('takes waiting events together, in order and once each, in one transaction', async () => {
    const many = gathering();
    await service.say(upTo(250));
    await service.listen(many);
    await happened(upTo(250));
    await quiet();
    expect(await service.effects()).toEqual(upTo(250));
    expect(await service.count('inbox')).toBe(250);
    expect(Math.max(...many.sizes)).toBeGreaterThan(10);
    expect(Math.max(...many.sizes)).toBeLessThanOrEqual(100);
  });

  it('does not get applied events again, nor the same event twice', async () => {
    const many = gathering();
    const first = await service.listen(many);
    await publish(envelope(1, 'one'), 'a');
    await happened([1]);
    await first.stop();
    for (const [n, id] of [
      [1, 'one'],
      [2, 'two'],
      [2, 'two'],
      [3, 'three'],
    ] as const)
      await publish(envelope(n, id));
    await service.listen(many);
    await happened([1, 2, 3]);
    await quiet();
    expect(await service.effects()).toEqual([1, 2, 3]);
  });

  it('isolates a faulty event: it becomes a dead letter, the others are applied once', async () => {
    const many = gathering();
    const refuse = (event: Added) => {
      if (event.data.n === 3) throw new PoisonMessage('not this one');
    };
    await service.say(upTo(6));
    await until(
      'the stream is there',
      async () => (await service.count('outbox', 'published_at is null')) === 0,
    );
    await publish('{ not json', 'broken');
    await service.listen({
      handle: async (event, tx) => {
        refuse(event);
        await many.handle(event, tx);
      },
      handleMany: async (events, tx) => {
        await many.handleMany(events, tx);
        events.forEach(refuse);
      },
    });
    await happened([1, 2, 4, 5, 6]);
    await until('two dead letters', async () => (await service.count('dead_letter')) === 2);
    await quiet();
    expect(sorted(await service.effects())).toEqual([1, 2, 4, 5, 6]);
  });

  it('gets the look-up result of each event, loaded concurrently for a batch', async () => {
    const many = gathering();
    const found: [number, string][] = [];
    let underWay = 0;
    let most = 0;
    await service.say(upTo(40));
    await service.listen({
      lookUp: async ({ data }) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await sleep(1);
        underWay -= 1;
        return `found for ${data.n}`;
      },
      handle: async (event, tx, answer: string) => {
        found.push([event.data.n, answer]);
        await many.handle(event, tx);
      },
      handleMany: async (events, tx, answers: string[]) => {
        events.forEach((event, at) => found.push([event.data.n, answers[at] ?? '']));
        await many.handleMany(events, tx);
      },
    });
    await happened(upTo(40));
    expect(found).toEqual(upTo(40).map((n) => [n, `found for ${n}`]));
    expect(most).toBeGreaterThan(1);
  });

  it('applies the other events when one look-up fails, and retries that look-up', async () => {
    const many = gathering();
    let refusals = 0;
    await service.say(upTo(5));
    await service.listen({
      lookUp: ({ data }) => {
        if (data.n === 2 && (refusals += 1) < 3) return Promise.reject(new Error('away'));
        return Promise.resolve(data.n);
      },
      handle: many.handle,
      handleMany: many.handleMany,
    });
    await happened(upTo(5));
    await quiet();
    expect(sorted(await service.effects())).toEqual(upTo(5));
    expect(refusals).toBe(3);
  });

  it('skips events that do not concern it: no look-up, no transaction, no inbox row', async () => {
    const many = gathering();
    const lookedUp: number[] = [];
    await service.say(upTo(20));
    await service.listen({
      concerns: ({ data }) => data.n % 2 === 0,
      lookUp: ({ data }) => Promise.resolve(lookedUp.push(data.n)),
      handle: many.handle,
      handleMany: many.handleMany,
    });
    const even = upTo(20).filter((n) => n % 2 === 0);
    await happened(even);
    await quiet();
    expect(await service.effects()).toEqual(even);
    expect(sorted(lookedUp)).toEqual(even);
    expect(await service.count('inbox')).toBe(10);
    expect(await service.count('dead_letter')).toBe(0);
  });

  it('applies each event once across processes that get the same events at the same time', async () => {
    await service.say(upTo(60));
    await service.listen(gathering());
    // Another consumer name with the same handler name: each event is delivered to both.
    await service.listen(gathering(), await service.connect('ledger-twin'));
    await happened(upTo(60));
    await quiet();
    expect(sorted(await service.effects())).toEqual(upTo(60));
    expect(await service.count('dead_letter')).toBe(0);
  });
});

describe('an unrecorded effect', () => {
  const observing = (observe: (event: Added) => void, handlerName = 'seen') =>
    service.bus.consume({ db: service.db, event: added, handlerName, observe, backoffMs: () => 50 });

  it('leaves no inbox row, and happens again when its event is redelivered', async () => {
    const seen: number[] = [];
    await observing((event) => seen.push(event.data.n));
    for (const id of ['x1', 'x2']) await publish(envelope(1, 'same'), id);
    await until('both are seen', () => seen.length === 2);
    expect(await service.count('inbox')).toBe(0);
  });

  it('is retried when it fails, and counted', async () => {
    const seen: number[] = [];
    await observing((event) => {
      seen.push(event.data.n);
      if (seen.length < 3) throw new Error('not now');
    }, 'stubborn');
    await service.say([7]);
    await until('the third time', () => seen.length === 3);
    await until('the metric shows it', async () =>
      (await registry.metrics()).includes(
        'bus_events_handled_total{service="ledger",handler="stubborn",outcome="applied"} 1',
      ),
    );
    expect(seen).toEqual([7, 7, 7]);
  });
});

describe('the outbox', () => {
  it('writes several events at once, each in its trace and validated, or none', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const inputs = upTo(3).map((n) => ({
      aggregateId: `a${n}`,
      aggregateVersion: n,
      data: { n },
      traceparent,
    }));
    const seen: Added[] = [];
    await service.listen({
      handle: async (event, tx) => {
        seen.push(event);
        await note(tx, 'notes', event.data.n);
      },
    });
    const ids = await inTransaction(service.db, (tx) => service.outbox.addAll(tx, added, inputs));
    await happened(upTo(3));
    expect(seen.map(({ id, aggregateId, aggregateVersion }) => [id, aggregateId, aggregateVersion])).toEqual(
      ids.map((id, i) => [id, `a${i + 1}`, i + 1]),
    );
    expect(seen.map((event) => event.traceparent)).toEqual(Array(3).fill(traceparent));
    const broken = [...inputs, { aggregateId: 'a', aggregateVersion: 4, data: { n: 0.5 } }];
    await expect(inTransaction(service.db, (tx) => service.outbox.addAll(tx, added, broken))).rejects.toThrow(
      /breaks its contract/,
    );
    expect(await inTransaction(service.db, (tx) => service.outbox.addAll(tx, added, []))).toEqual([]);
    expect(await service.count('outbox')).toBe(3);
  });

  it('publishes many events as a batch, and the first event at once', async () => {
    await service.outbox.stop();
    const paceMs = 1_500;
    const relay = service.relay({ paceMs, pollMs: 60_000 });
    await service.listen();
    relay.start();
    await sleep(paceMs + 200);
    const add = (n: number) =>
      inTransaction(service.db, (tx) =>
        relay.add(tx, added, { aggregateId: 'a', aggregateVersion: n, data: { n } }),
      );
    await add(1);
    const begin = performance.now();
    await happened([1]);
    expect(performance.now() - begin).toBeLessThan(paceMs - 200);
    for (const n of [2, 3, 4]) await add(n);
    await happened(upTo(4));
    // The three events share one round: claimed, acknowledged and marked together.
    const { rows } = await sql`select distinct published_at from outbox`.execute(service.db);
    expect(rows).toHaveLength(2);
  });
});
