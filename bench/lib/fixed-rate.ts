import { setTimeout as sleep } from 'node:timers/promises';
import { latencyOf, type Latency } from './stats.ts';

export type FixedRateOptions = {
  /** Arrivals per second. */
  rate: number;
  durationMs: number;
  /** Time before `durationMs` at the same rate, not measured. */
  warmUpMs?: number;
  /** Arrivals above this number in progress are dropped and counted. */
  maxInFlight?: number;
  /** One arrival, due at this time of `performance.now()`; a rejection counts as failed. */
  task: (index: number, due: number) => Promise<unknown>;
};

export type FixedRateResult = {
  /** Arrivals that were due while measuring. */
  offered: number;
  completed: number;
  failed: number;
  dropped: number;
  /** Completed arrivals per second. */
  throughput: number;
  /** Milliseconds since each arrival was due, so that a stall of the sender counts as well. */
  latency: Latency;
  faults: string[];
};

const FAULTS_KEPT = 5;

/** Starts arrivals that do not wait for answers (open loop); otherwise a slow answer would hide the waiting of users. */
export async function fixedRate(options: FixedRateOptions): Promise<FixedRateResult> {
  const { rate, durationMs, warmUpMs = 0, maxInFlight = 10_000, task } = options;
  const interval = 1_000 / rate;
  const first = Math.round(warmUpMs / interval);
  const total = first + Math.round(durationMs / interval);
  const samples: number[] = [];
  const faults: string[] = [];
  const inFlight = new Set<Promise<void>>();
  let failed = 0;
  let dropped = 0;

  const arrive = async (index: number, due: number): Promise<void> => {
    try {
      await task(index, due);
      if (index >= first) samples.push(performance.now() - due);
    } catch (error) {
      if (index < first) return;
      failed += 1;
      if (faults.length < FAULTS_KEPT) faults.push(String(error));
    }
  };

  const start = performance.now();
  for (let index = 0; index < total;) {
    const now = performance.now();
    for (; index < total && start + index * interval <= now; index += 1) {
      if (inFlight.size < maxInFlight) {
        const arrival = arrive(index, start + index * interval);
        inFlight.add(arrival);
        void arrival.then(() => inFlight.delete(arrival));
      } else if (index >= first) dropped += 1;
    }
    // A timer takes at least a millisecond; shorter intervals start in groups.
    if (index < total) await sleep(Math.max(0, start + index * interval - performance.now()));
  }
  await Promise.all(inFlight);
  return {
    offered: total - first,
    completed: samples.length,
    failed,
    dropped,
    throughput: samples.length / (durationMs / 1_000),
    latency: latencyOf(samples),
    faults,
  };
}
