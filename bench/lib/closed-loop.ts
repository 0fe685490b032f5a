import { latencyOf, type Latency } from './stats.ts';

export type ClosedLoopOptions = {
  /** Callers, each of which starts its next call after the last one. */
  concurrency: number;
  durationMs: number;
  warmUpMs?: number;
  /** One call; a rejection ends the run. */
  task: (caller: number) => Promise<unknown>;
};

export type ClosedLoopResult = { completed: number; throughput: number; latency: Latency };

/** Measures the throughput with all callers busy; the latencies are those of a saturated system. */
export async function closedLoop(options: ClosedLoopOptions): Promise<ClosedLoopResult> {
  const { concurrency, durationMs, warmUpMs = 0, task } = options;
  const from = performance.now() + warmUpMs;
  const until = from + durationMs;
  const samples: number[] = [];
  const caller = async (number: number): Promise<void> => {
    for (let begun = performance.now(); begun < until;) {
      await task(number);
      const now = performance.now();
      if (begun >= from && now <= until) samples.push(now - begun);
      begun = now;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, number) => caller(number)));
  return {
    completed: samples.length,
    throughput: samples.length / (durationMs / 1_000),
    latency: latencyOf(samples),
  };
}
