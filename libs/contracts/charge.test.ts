import { durationDays, toPaise, toRupees, totalPaise } from './charge.ts';

describe('charge', () => {
  it('[PAY-050] [PAY-051] counts days inclusively, and 1 without dates', () => {
    expect(durationDays('2026-03-01', '2026-03-01')).toBe(1);
    expect(durationDays('2026-03-01', '2026-03-07')).toBe(7);
    expect(durationDays('2024-02-28', '2024-03-01')).toBe(3);
    expect(durationDays(null, null)).toBe(1);
    expect(durationDays('2026-03-01', null)).toBe(1);
  });

  it('[PAY-049] keeps every amount of two decimals through paise and back', () => {
    const all = Array.from({ length: 100_001 }, (_, paise) => paise);
    expect(all.filter((paise) => toPaise(toRupees(paise)) !== paise)).toEqual([]);
    expect(toPaise(99_999.99)).toBe(9_999_999);
    expect(toPaise(0.1 * 3)).toBe(30);
    for (const finer of [0.001, 1.001, 5_000.999, 99_999.999, 1e9 + 0.004, Number.NaN, Infinity, 1e16]) {
      expect(() => toPaise(finer)).toThrow(RangeError);
    }
  });

  it('is the daily rate times the days', () => {
    expect(totalPaise(100, 30)).toBe(3_000);
  });
});
