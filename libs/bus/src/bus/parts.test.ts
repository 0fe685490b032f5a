import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { defineEvent } from '@karaar/contracts/kit';
import type { Msg } from '@nats-io/transport-node';
import fc from 'fast-check';
import { Type } from 'typebox';
import { conflict, notFound, tooManyRequests, unavailable, unprocessable } from '@karaar/base/errors';
import { supersedes } from './envelope.ts';
import { durableOf, serviceOf, streamOf, unavailableText } from './names.ts';
import { isPoison, PoisonMessage } from './consuming/poison.ts';
import { Delivery } from './consuming/pull.ts';
import { WorkQueue } from './consuming/work-queue.ts';

describe('names', () => {
  it('derive service, stream and consumer from a contract', () => {
    const event = defineEvent({ type: 'documents.document.finalized', version: 2, data: Type.Object({}) });
    expect(serviceOf(event.subject)).toBe('documents');
    expect(streamOf(event.subject)).toBe('EVT_DOCUMENTS');
    expect(durableOf('payments', 'document-state', event)).toBe(
      'payments__document-state__documents_document_finalized_v2',
    );
    expect(() => serviceOf('nonsense')).toThrow();
  });

  it('give a readable text for an unavailable service', () => {
    expect(unavailableText('wallet')).toBe('Wallet is not available right now. Please try again.');
    expect(unavailableText('documents')).toBe('Documents are not available right now. Please try again.');
    expect(unavailableText('auth')).toBe('Sign-in is not available right now. Please try again.');
  });
});

describe('supersedes', () => {
  it('lets a projection end with the newest version, whatever the order and repetitions of events', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (versions) => {
        let stored: number | null = null;
        for (const aggregateVersion of versions) {
          if (supersedes({ aggregateVersion }, stored)) stored = aggregateVersion;
        }
        expect(stored).toBe(Math.max(...versions));
      }),
    );
    expect(supersedes({ aggregateVersion: 3 }, undefined)).toBe(true);
    expect(supersedes({ aggregateVersion: 3 }, 3)).toBe(false);
  });
});

describe('isPoison', () => {
  it('is true for errors that no retry can help', () => {
    expect([new PoisonMessage('x'), unprocessable('a', 'b'), notFound('a', 'b')].map(isPoison)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [conflict('a', 'b'), tooManyRequests('a', 1), unavailable('a', 'b'), new Error('x'), 'x'].map(isPoison),
    ).toEqual([false, false, false, false, false]);
  });
});

describe('Delivery', () => {
  const said: string[] = [];
  const delivery = (reply: string, current = true) => {
    const message = { reply, subject: 's', respond: (word: string) => said.push(word) > 0 };
    // The parts of a message that a delivery uses.
    return new Delivery(message as unknown as Msg, () => current);
  };

  it('parses its position from the short and the long form', () => {
    const short = delivery('$JS.ACK.EVT_LEDGER.durable.3.17.20.1700000000000000000.5');
    const long = delivery('$JS.ACK._.hash.EVT_LEDGER.durable.3.17.20.1700000000000000000.5.token');
    for (const one of [short, long]) {
      expect({ count: one.count, seq: one.seq, pending: one.pending }).toEqual({
        count: 3,
        seq: 17,
        pending: 5,
      });
    }
  });

  it('does not acknowledge a position that may be another event by now', () => {
    const stale = delivery('$JS.ACK.S.d.1.1.1.1.0', false);
    for (const say of ['ack', 'nak', 'term', 'working'] as const) stale[say]();
    expect(said).toEqual([]);
    delivery('$JS.ACK.S.d.1.1.1.1.0').nak(1_500);
    expect(said).toEqual(['-NAK {"delay":1500000000}']);
  });
});

describe('WorkQueue', () => {
  afterEach(() => void jest.useRealTimers());

  it('respects its limit, runs everything once, and lists the items it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 2 }),
        fc.array(fc.nat({ max: 3 }), { maxLength: 30 }),
        async (limit, most, paceMs, naps) => {
          let running = 0;
          const done: number[] = [];
          const work = async (indexes: number[]) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(limit);
            expect(indexes.length).toBeLessThanOrEqual(most);
            expect(queue.held()).toEqual(expect.arrayContaining(indexes));
            await sleep(naps[indexes[0] ?? 0]);
            running -= 1;
            done.push(...indexes);
          };
          const queue = new WorkQueue<number>({ concurrency: limit, most, paceMs, work });
          naps.forEach((_, index) => queue.push(index));
          expect(queue.held().length).toBe(naps.length);
          while (queue.waiting > 0) await sleep(1);
          await queue.settled();
          expect(done.sort((a, b) => a - b)).toEqual(naps.map((_, index) => index));
          expect(queue.held()).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('returns the items that it has not started', async () => {
    const { promise, resolve: finish } = Promise.withResolvers<undefined>();
    const queue = new WorkQueue<number>({ concurrency: 1, work: () => promise });
    [1, 2, 3].forEach((item) => queue.push(item));
    expect(queue.waiting).toBe(2);
    queue.close();
    expect(queue.abandon()).toEqual([2, 3]);
    expect(queue.held()).toEqual([1]);
    finish(undefined);
    await queue.settled();
    expect(queue.held()).toEqual([]);
  });

  it('takes the first item at once, and batches those that come soon after', async () => {
    jest.useFakeTimers();
    const taken: number[][] = [];
    const work = async (items: number[]) => void taken.push(items);
    const queue = new WorkQueue<number>({ concurrency: 1, most: 4, paceMs: 60, work });
    queue.push(1);
    await jest.advanceTimersByTimeAsync(5);
    expect(taken).toEqual([[1]]);
    for (const item of [2, 3]) queue.push(item);
    await jest.advanceTimersByTimeAsync(54);
    expect(taken).toEqual([[1]]);
    // A full batch does not wait for more items.
    for (const item of [4, 5, 6]) queue.push(item);
    await jest.advanceTimersByTimeAsync(0);
    expect(taken).toEqual([[1], [2, 3, 4, 5]]);
    await jest.advanceTimersByTimeAsync(60);
    expect(taken).toEqual([[1], [2, 3, 4, 5], [6]]);
    await jest.advanceTimersByTimeAsync(60);
    queue.push(7);
    await jest.advanceTimersByTimeAsync(0);
    expect(taken.at(-1)).toEqual([7]);
  });

  it('batches items for longer after a worker that took several', async () => {
    jest.useFakeTimers();
    const taken: number[][] = [];
    const work = async (items: number[]) => void taken.push(items);
    const queue = new WorkQueue<number>({ concurrency: 1, most: 10, paceMs: 10, busyPaceMs: 90, work });
    queue.push(0);
    await jest.advanceTimersByTimeAsync(1);
    for (const item of [1, 2, 3, 4]) queue.push(item);
    await jest.advanceTimersByTimeAsync(9);
    expect(taken).toEqual([[0], [1, 2, 3, 4]]);
    queue.push(5);
    await jest.advanceTimersByTimeAsync(89);
    expect(taken).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(taken).toEqual([[0], [1, 2, 3, 4], [5]]);
    queue.push(6);
    await jest.advanceTimersByTimeAsync(10);
    expect(taken.at(-1)).toEqual([6]);
  });
});
