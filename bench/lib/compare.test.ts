import { mannWhitney, medianDifference } from './compare.ts';

/** A normal-looking sample around a middle; the same for the same seed. */
function sample(seed: number, middle: number, size = 400): number[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: size }, () => middle + (next() + next() + next() - 1.5));
}

describe('mannWhitney', () => {
  it('tells a shift of a fifth of the spread, and none where there is none', () => {
    expect(mannWhitney(sample(1, 10), sample(2, 10)).p).toBeGreaterThan(0.05);
    const shifted = mannWhitney(sample(1, 10.2), sample(2, 10));
    expect(shifted.p).toBeLessThan(0.001);
    expect(shifted.effect).toBeGreaterThan(0.55);
  });

  it('is what one reckons by hand, with ties', () => {
    // U = 0 + 0.5 + 0.5 + 1.5 + 3.5; ties of 3, 2 and 2: variance 25/12 × (11 − 36/90); z = −6.5 / 4.699.
    const { p, effect } = mannWhitney([1, 2, 2, 3, 5], [2, 3, 4, 5, 6]);
    expect(effect).toBeCloseTo(6 / 25, 10);
    expect(p).toBeCloseTo(0.1666, 3);
  });
});

it('medianDifference holds the true shift in its interval', () => {
  const [a, b] = [sample(3, 12), sample(4, 10)];
  const { low, high, median } = medianDifference(a.map((x, i) => [x, b[i] ?? 0] as const));
  expect(low).toBeLessThan(2);
  expect(high).toBeGreaterThan(2);
  expect(Math.abs(median - 2)).toBeLessThan(0.2);
});
