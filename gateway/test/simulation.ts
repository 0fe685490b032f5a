/** Simulates a service as in queueing theory: several workers and one queue behind the concurrency limit. */
import { Baseline } from '../src/shedding/baseline.ts';
import type { TrafficClass } from '@karaar/contracts/traffic-class';
import type { ServiceGate } from '../src/shedding/service-gate.ts';
import type { Urgency } from '@karaar/contracts/urgency';

const TICK_MS = 100;

export type Load = {
  perSecond: number;
  /** Mean milliseconds of a worker's time, with a typical spread (exponential above a minimum). */
  workMs: number;
  /** Additional milliseconds without a worker: a database, a provider. */
  waitMs?: number;
  trafficClass?: TrafficClass;
  urgency?: Urgency;
  /** Second from which, and until which, the load is offered. */
  fromS?: number;
  untilS?: number;
};

export type Outcome = Record<Urgency, { offered: number; answered: number; timesMs: number[] }>;

type Done = { at: number; from: number; load: Load; route: Baseline };

/** Returns repeatable random numbers from 0 to 1 (a linear congruential generator). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/**
 * Offers loads to a service through its concurrency limit.
 * @param measureFromS seconds for the limit to settle, excluded from the outcome
 */
export function simulate(
  gate: ServiceGate,
  {
    workers,
    loads,
    seconds,
    measureFromS = 0,
    seed = 1,
  }: { workers: number; loads: readonly Load[]; seconds: number; measureFromS?: number; seed?: number },
): Outcome {
  const random = randomOf(seed);
  const none = () => ({ offered: 0, answered: 0, timesMs: [] as number[] });
  const outcome: Outcome = { vital: none(), usual: none(), patient: none() };
  const arrivals = loads
    .flatMap((load) => {
      const route = new Baseline();
      const list: Omit<Done, 'at'>[] = [];
      const gap = 1_000 / load.perSecond;
      const until = (load.untilS ?? seconds) * 1_000;
      for (let at = (load.fromS ?? 0) * 1_000; at < until; at -= Math.log(random()) * gap)
        list.push({ from: at, load, route });
      return list;
    })
    .sort((a, b) => a.from - b.from);
  const free = new Float64Array(workers);
  const running: Done[] = [];
  let tick = TICK_MS;

  const settle = (until: number) => {
    while (Math.min(tick, running[0]?.at ?? Number.POSITIVE_INFINITY) <= until) {
      const first = running[0];
      if (first === undefined || tick < first.at) {
        gate.tick();
        tick += TICK_MS;
        continue;
      }
      running.shift();
      const { trafficClass = 'quick', urgency = 'usual' } = first.load;
      const ms = first.at - first.from;
      gate.leave(trafficClass);
      if (trafficClass === 'quick') gate.noteDelay(first.route.delayOf(ms, first.at));
      if (first.from >= measureFromS * 1_000) {
        outcome[urgency].answered += 1;
        outcome[urgency].timesMs.push(ms);
      }
    }
  };

  for (const { from, load, route } of arrivals) {
    settle(from);
    const { trafficClass = 'quick', urgency = 'usual', workMs, waitMs = 0 } = load;
    if (from >= measureFromS * 1_000) outcome[urgency].offered += 1;
    if (!gate.hasRoom(trafficClass, urgency)) continue;
    gate.enter(trafficClass);
    const next = free.indexOf(Math.min(...free));
    const work = workMs * (0.3 - 0.7 * Math.log(random()));
    const begun = Math.max(from, free[next] ?? 0);
    free[next] = begun + work;
    const done = { at: begun + work + waitMs, from, load, route };
    let place = running.length;
    while (place > 0 && (running[place - 1]?.at ?? 0) > done.at) place -= 1;
    running.splice(place, 0, done);
  }
  settle(seconds * 1_000);
  return outcome;
}
