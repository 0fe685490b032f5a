/** Latencies of a run, in milliseconds. */
export type Latency = { p50: number; p90: number; p95: number; p99: number; max: number; mean: number };

/**
 * The value that `percent` of the samples do not exceed (nearest rank, so always a measured one).
 * @param sorted ascending; an empty list gives NaN
 */
export function percentile(sorted: readonly number[], percent: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN;
}

export function latencyOf(samples: readonly number[]): Latency {
  const sorted = samples.toSorted((a, b) => a - b);
  const sum = sorted.reduce((total, one) => total + one, 0);
  return {
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    max: sorted.at(-1) ?? Number.NaN,
    mean: sorted.length === 0 ? Number.NaN : sum / sorted.length,
  };
}

/** The middle of the values (mean of the two middle ones when even). */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
