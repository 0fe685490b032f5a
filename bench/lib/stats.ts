/** Latencies of a run, in milliseconds. */
export type Latency = { p50: number; p90: number; p95: number; p99: number; max: number; mean: number };

/** Returns the nearest-rank percentile of ascending values, which is always one of them; NaN without values. */
export function percentile(sorted: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(1, rank) - 1] ?? Number.NaN;
}

export function latencyOf(samples: readonly number[]): Latency {
  const sorted = samples.toSorted((a, b) => a - b);
  return {
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? Number.NaN,
    mean: sorted.reduce((sum, one) => sum + one, 0) / sorted.length,
  };
}

/** Returns the middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [Math.floor, Math.ceil].map((round) => sorted[round((sorted.length - 1) / 2)]);
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
