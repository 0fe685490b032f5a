import fc from 'fast-check';
import { latencyOf, median, percentile } from './stats.ts';

describe('percentile', () => {
  it('is the nearest rank, which is always a measured value', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect([0, 50, 90, 99, 100].map((percent) => percentile(values, percent))).toEqual([1, 5, 9, 10, 10]);
    expect(percentile([], 50)).toBeNaN();
  });

  it('is the smallest value with its share of the samples at or below it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 100 }),
        (samples, percent) => {
          const sorted = samples.toSorted((a, b) => a - b);
          const value = percentile(sorted, percent);
          const share = (limit: (one: number) => boolean) => sorted.filter(limit).length / sorted.length;
          expect(share((one) => one <= value)).toBeGreaterThanOrEqual(percent / 100);
          expect(share((one) => one < value)).toBeLessThan(percent / 100);
        },
      ),
    );
  });
});

describe('latencyOf', () => {
  it('accepts unsorted samples', () => {
    expect(latencyOf([30, 10, 20])).toEqual({ p50: 20, p90: 30, p95: 30, p99: 30, max: 30, mean: 20 });
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});
