import fc from 'fast-check';
import { afterShares, checkPortions, splitTotal } from './distribution.ts';

const portions = (...percentages: number[]) =>
  percentages.map((percentage, i) => ({ userId: `u${i}`, percentage }));
const faultOf = (...percentages: number[]): unknown => {
  try {
    checkPortions(portions(...percentages));
    return undefined;
  } catch (error) {
    return (error as { detail: unknown }).detail;
  }
};

describe('a distribution', () => {
  it('[PAY-031] must total 100 within 0.01', () => {
    expect(faultOf(50, 50)).toBeUndefined();
    expect(faultOf(33.33, 33.33, 33.33)).toBeUndefined();
    expect(faultOf(99.99)).toBeUndefined();
    expect(faultOf(99.98)).toMatch('Total percentage must equal 100%');
    expect(faultOf(60, 41)).toMatch('Total percentage cannot exceed 100%');
    expect(faultOf(101, -1)).toBeDefined();
    expect(faultOf(Number.NaN)).toBeDefined();
  });

  it('[PAY-053] gives the remaining paise to the largest remainders, in any position', () => {
    const paise = (total: number, ...percentages: number[]) =>
      splitTotal(total, portions(...percentages)).map(({ amountPaise }) => amountPaise);
    expect(paise(100, 33.33, 33.34, 33.33)).toEqual([33, 34, 33]);
    expect(paise(100, 33.34, 33.33, 33.33)).toEqual([34, 33, 33]);
    expect(paise(1, 50.01, 49.99)).toEqual([1, 0]);
    // Of 2.1, 2.8, 0.4 and 4.7 the second and the last have the largest remainders.
    expect(paise(10, 21, 28, 4, 47)).toEqual([2, 3, 0, 5]);
  });

  it('[PAY-053] [PAY-049] splits any total exactly, each share off by less than a paisa', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000_000 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 12 }),
        (total, weights) => {
          const sum = weights.reduce((a, b) => a + b, 0);
          fc.pre(sum > 0);
          const shares = splitTotal(total, portions(...weights.map((weight) => (weight / sum) * 100)));
          expect(shares.reduce((all, share) => all + share.amountPaise, 0)).toBe(total);
          shares.forEach((share, i) => {
            expect(Math.abs(share.amountPaise - (total * (weights[i] ?? 0)) / sum)).toBeLessThan(1.001);
            expect(share.amountPaise).toBeGreaterThanOrEqual(0);
          });
        },
      ),
    );
  });
});

describe('shares that replace others', () => {
  const share = (userId: string, amountPaise: number) => ({ userId, percentage: 1, amountPaise });
  const before = (replaced: Parameters<typeof afterShares>[0], ...shares: ReturnType<typeof share>[]) =>
    afterShares(replaced, shares).map(({ userId, beforePaise }) => `${userId} ${beforePaise}`);

  it('keep the amount before the last change, also when another share changes', () => {
    const first = afterShares([], [share('a', 469), share('b', 201)]);
    expect(before([], share('a', 469))).toEqual(['a null']);
    const second = afterShares(first, [share('a', 335), share('b', 335)]);
    expect(second.map(({ beforePaise }) => beforePaise)).toEqual([469, 201]);
    expect(before(second, share('a', 300), share('b', 335), share('c', 35))).toEqual([
      'a 335',
      'b 201',
      'c null',
    ]);
  });
});
