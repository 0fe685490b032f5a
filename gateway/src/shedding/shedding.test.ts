import { setTimeout as sleep } from 'node:timers/promises';
import { URGENCIES } from '@karaar/contracts/urgency';
import { Baseline } from './baseline.ts';
import { until } from '@karaar/testing/until';
import { LoopGuard, watchLoop } from './loop-guard.ts';
import { retryAfterS } from './retry-after.ts';
import { QueueDelay } from './queue-delay.ts';

describe('a route’s baseline', () => {
  it('is its shortest time; delays are the time above it', () => {
    const route = new Baseline();
    expect([10, 4, 30].map((ms, at) => route.delayOf(ms, at))).toEqual([0, 0, 26]);
  });

  it('is forgotten after fifteen to thirty seconds', () => {
    const route = new Baseline();
    route.delayOf(5, 100_000);
    expect(route.delayOf(50, 114_000)).toBe(45);
    expect(route.delayOf(50, 116_000)).toBe(45);
    expect(route.delayOf(50, 131_000)).toBe(0);
    expect(route.delayOf(70, 500_000)).toBe(0);
  });
});

describe('a queue delay', () => {
  const verdictOf = (delays: number[]) => {
    const delay = new QueueDelay(40);
    for (const ms of delays) delay.note(ms);
    return delay.verdict();
  };

  it('is the median of the delays, not the longest one', () => {
    expect(verdictOf([...Array<number>(6).fill(0), ...Array<number>(5).fill(900)])).toBe('clear');
    expect(verdictOf([...Array<number>(5).fill(0), ...Array<number>(6).fill(41)])).toBe('standing');
    expect(verdictOf(Array<number>(5_000).fill(41))).toBe('standing');
  });

  it('is unknown for few measurements, which are dropped after a while', () => {
    const delay = new QueueDelay(40);
    for (let tick = 0; tick < 30; tick += 1) {
      if (tick % 10 === 0) for (let i = 0; i < 9; i += 1) delay.note(100);
      expect(delay.verdict()).toBe('unknown');
    }
  });
});

describe('the guard of the gateway’s own event loop', () => {
  const guardAt = (level: number, random: number) => {
    let late = 100;
    const guard = new LoopGuard(40, { read: () => late, stop: () => undefined }, () => random);
    // The first late interval may be a burst.
    for (let i = 0; i <= Math.round(level * 10); i += 1) guard.tick();
    late = 0;
    return guard;
  };
  const passing = (level: number, random = 0.5) =>
    URGENCIES.filter((urgency) => guardAt(level, random).passes(urgency));

  it('refuses patient requests first, then usual ones, and never vital ones', () => {
    expect(passing(0)).toEqual(['vital', 'usual', 'patient']);
    expect(passing(0.2)).toEqual(['vital', 'usual', 'patient']);
    expect(passing(0.3)).toEqual(['vital', 'usual']);
    expect(passing(0.6)).toEqual(['vital', 'usual']);
    expect(passing(0.8)).toEqual(['vital']);
    expect(passing(1, 0.999)).toEqual(['vital']);
  });

  it('treats a single late interval as a burst, even if bursts repeat', () => {
    let tick = 0;
    const guard = new LoopGuard(40, { read: () => (tick % 2 === 0 ? 900 : 0), stop: () => undefined });
    for (; tick < 100; tick += 1) {
      guard.tick();
      expect(guard.level).toBe(0);
    }
  });

  it('lets all pass again once the loop keeps up', () => {
    const guard = guardAt(1, 0.5);
    for (let i = 0; i < 60; i += 1) guard.tick();
    expect([guard.level, guard.passes('patient')]).toEqual([0, true]);
  });
});

it('spreads the retries of refused clients, with shorter times for urgent requests', () => {
  const all = (urgency: 'vital' | 'patient') =>
    new Set(Array.from({ length: 100 }, (_, at) => retryAfterS(urgency, () => at / 100)));
  expect([...all('vital')]).toEqual([1, 2]);
  expect([...all('patient')]).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

describe('the delay of the event loop', () => {
  const block = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };

  it('counts if the loop is busy, not if it waits', async () => {
    const loop = watchLoop();
    try {
      // Loading this file may have blocked the loop a moment ago.
      await until('an interval without work', async () => {
        await sleep(100);
        return loop.read() < 40;
      });
      for (let i = 0; i < 5; i += 1) {
        block(80);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(loop.read()).toBeGreaterThan(40);
      // A single late sample in an idle process: another process had the CPU.
      block(80);
      await sleep(200);
      expect(loop.read()).toBe(0);
    } finally {
      loop.stop();
    }
  });
});
