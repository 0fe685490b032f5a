import { setTimeout as sleep } from 'node:timers/promises';
import { latencyOf, type Latency } from './stats.ts';

export type FixedRateOptions = {
  /** Arrivals per second. */
  rate: number;
  /** Milliseconds that are measured. */
  durationMs: number;
  /** Milliseconds before that, at the same rate, not measured. */
  warmUpMs?: number;
  /** Under way at once at most; an arrival that finds all taken is dropped and counted. */
  maxInFlight?: number;
  /** One arrival; a rejection counts as failed. */
  task: (index: number) => Promise<unknown>;
};

export type FixedRateResult = {
  /** Arrivals that were due while measuring. */
  offered: number;
  completed: number;
  failed: number;
  dropped: number;
  /** Completed ones per second. */
  throughput: number;
  /** From the moment an arrival was due, whenever it could be sent: a stall of ours or theirs counts in full. */
  latency: Latency;
  /** Texts of the first few faults. */
  faults: string[];
};

const FAULTS_KEPT = 5;

/**
 * Load at a fixed arrival rate (open loop). Arrivals do not wait for answers, so a slow answer does not
 * slow the load down and hide the ones that would have come meanwhile.
 */
export async function fixedRate(options: FixedRateOptions): Promise<FixedRateResult> {
  const { rate, durationMs, warmUpMs = 0, maxInFlight = 10_000, task } = options;
  const interval = 1_000 / rate;
  const first = Math.round(warmUpMs / interval);
  const total = first + Math.round(durationMs / interval);
  const samples: number[] = [];
  const faults: string[] = [];
  let failed = 0;
  let dropped = 0;
  let inFlight = 0;
  let settled: () => void = () => undefined;

  const arrive = (index: number, due: number): void => {
    const measured = index >= first;
    if (inFlight >= maxInFlight) {
      if (measured) dropped += 1;
      return;
    }
    inFlight += 1;
    task(index)
      .then(
        () => {
          if (measured) samples.push(performance.now() - due);
        },
        (error: unknown) => {
          if (!measured) return;
          failed += 1;
          if (faults.length < FAULTS_KEPT) faults.push(String(error));
        },
      )
      .finally(() => {
        inFlight -= 1;
        if (inFlight === 0) settled();
      });
  };

  const start = performance.now();
  for (let index = 0; index < total;) {
    const now = performance.now();
    for (; index < total && start + index * interval <= now; index += 1)
      arrive(index, start + index * interval);
    // A timer is a millisecond at best; shorter intervals arrive in the small groups that have come due.
    if (index < total) await sleep(Math.max(0, start + index * interval - performance.now()));
  }
  if (inFlight > 0) await new Promise<void>((resolve) => (settled = resolve));
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
