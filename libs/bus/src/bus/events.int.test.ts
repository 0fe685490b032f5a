import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent } from '@karaar/contracts/kit';
import { until } from '@karaar/testing/until';
import { Type } from 'typebox';
import { inTransaction } from '@karaar/db';
import { conflict } from '@karaar/base/errors';
import { currentTraceId, withTraceparent } from '@karaar/observability/telemetry';
import { added, note, sorted, upTo, type Added } from './testing/fixture.ts';
import { envelope, happened, publish, quiet, service } from './testing/events.ts';

describe('an event', () => {
  it('reaches its handler once, in order, with its whole envelope', async () => {
    const seen: Added[] = [];
    await service.listen({
      handle: async (event, tx) => {
        seen.push(event);
        await note(tx, 'notes', event.data.n);
      },
    });
    const before = Date.now();
    await service.say(upTo(20));
    await happened(upTo(20));
    expect(await service.effects()).toEqual(upTo(20));
    const [first] = seen;
    expect(first).toMatchObject({
      type: 'ledger.entry.added',
      version: 1,
      aggregateId: 'ledger-1',
      aggregateVersion: 1,
      data: { n: 1 },
    });
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Date.parse(first?.occurredAt ?? '') - before)).toBeLessThan(60_000);
    expect(first?.occurredAt).toMatch(/Z$/);
  });

  it('is published right after the commit, long before the next poll', async () => {
    const slow = service.relay({ pollMs: 60_000 });
    await service.outbox.stop();
    slow.start();
    await service.listen();
    await quiet();
    await inTransaction(service.db, (tx) =>
      slow.add(tx, added, { aggregateId: 'a', aggregateVersion: 1, data: { n: 1 } }),
    );
    await happened([1]);
  });

  it('is found by the poll when the wake-up was lost with its process', async () => {
    await service.listen();
    const other = service.relay();
    await inTransaction(service.db, (tx) =>
      // The relay of this outbox was never started, so nothing reacts to its wake-up.
      other.add(tx, added, { aggregateId: 'a', aggregateVersion: 1, data: { n: 1 } }),
    );
    await happened([1]);
  });

  it('is never published when its transaction rolls back', async () => {
    await service.listen();
    await inTransaction(service.db, async (tx) => {
      await service.outbox.add(tx, added, { aggregateId: 'a', aggregateVersion: 1, data: { n: 1 } });
      throw new Error('no');
    }).catch(() => undefined);
    await service.say([2]);
    await happened([2]);
    expect(await service.effects()).toEqual([2]);
    expect(await service.count('outbox')).toBe(1);
  });

  it('must keep its contract and be small, else the transaction fails', async () => {
    const add = (data: { n: number }) =>
      inTransaction(service.db, (tx) =>
        service.outbox.add(tx, added, { aggregateId: 'a', aggregateVersion: 1, data }),
      );
    await expect(add({ n: 1.5 })).rejects.toThrow(
      /ledger.entry.added breaks its contract: n must be a whole number/,
    );
    const wide = defineEvent({
      type: 'ledger.entry.scanned',
      version: 1,
      data: Type.Object({ text: Type.String() }),
    });
    await expect(
      inTransaction(service.db, (tx) =>
        service.outbox.add(tx, wide, {
          aggregateId: 'a',
          aggregateVersion: 1,
          data: { text: 'x'.repeat(300_000) },
        }),
      ),
    ).rejects.toThrow(/too large/);
    expect(await service.count('outbox')).toBe(0);
  });

  it('contains only properties that its contract declares', async () => {
    const data = { n: 1, phone: '+919000000001' };
    await inTransaction(service.db, (tx) =>
      service.outbox.add(tx, added, { aggregateId: 'a', aggregateVersion: 1, data }),
    );
    expect(await service.count('outbox', `data::text like '%9000000001%'`)).toBe(0);
    expect(data.phone).toBe('+919000000001');
  });

  it('stays in the trace of the call that caused it', async () => {
    let seen: string | undefined;
    await service.listen({
      handle: async () => {
        seen = currentTraceId();
      },
    });
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await withTraceparent(`00-${trace}-b7ad6b7169203331-01`, () => service.say([1]));
    await until('it is handled', () => seen !== undefined);
    expect(seen).toBe(trace);
  });

  it('reaches each handler separately, and also a handler that is added later', async () => {
    await service.listen({ handlerName: 'first' });
    await service.say([1, 2]);
    await service.listen({ handlerName: 'second' });
    await until('both', async () => (await service.effects('second')).length === 2);
    await until('the first', async () => (await service.effects('first')).length === 2);
  });

  it('reaches a consumer that started before its stream existed', async () => {
    const { jsm } = service.bus.link;
    await until('the stream', () => jsm.streams.info('EVT_LEDGER').then(Boolean, () => false));
    await jsm.streams.delete('EVT_LEDGER');
    await service.listen();
    await service.say([1]);
    await happened([1]);
    expect((await jsm.streams.info('EVT_LEDGER')).config.subjects).toEqual(['evt.ledger.>']);
  });
});

describe('the inbox', () => {
  it('makes a repeated event a duplicate, whatever the broker reports', async () => {
    await service.listen();
    const event = envelope(1);
    for (const msgId of ['x1', 'x2', 'x3']) await publish(event, msgId);
    await publish(envelope(2));
    await happened([1, 2]);
    await quiet();
    expect(await service.effects()).toEqual([1, 2]);
    expect(await service.count('inbox')).toBe(2);
  });

  it('has no row for an event whose effect was rolled back', async () => {
    let tries = 0;
    await service.listen({
      handle: async (event, tx) => {
        await note(tx, 'notes', event.data.n);
        tries += 1;
        if (tries < 3) throw conflict('busy', 'Somebody else is at it.');
      },
    });
    await service.say([1]);
    await happened([1]);
    await quiet();
    expect(tries).toBe(3);
    expect(await service.effects()).toEqual([1]);
    expect(await service.count('dead_letter')).toBe(0);
  });

  it('applies an event once across processes that handle it at the same time', async () => {
    const handle = async (event: Added, tx: Parameters<typeof note>[0]) => {
      await sleep(50);
      await note(tx, 'notes', event.data.n);
    };
    // Two consumers with different names share the handler's name, so each event is delivered to both.
    await service.listen({ handle, concurrency: 4 });
    await service.listen({ handle, concurrency: 4 }, await service.connect('ledger-twin'));
    await service.say(upTo(20));
    await happened(upTo(20));
    await quiet();
    expect(sorted(await service.effects())).toEqual(upTo(20));
  });
});
