import fc from 'fast-check';
import { distributionFault, evenShares, isOver, limited, percentOf, totalOf } from './distribution.ts';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';

beforeAll(() => detailTexts.load());
const say = (percentages: (number | null)[]) => {
  const fault = distributionFault(percentages);
  return fault && detailTexts.say(fault);
};

describe('shares', () => {
  it('are 0 to 100 with at most two decimals', () => {
    expect(['', '0', '33.33', '50,5', '100'].map(percentOf)).toEqual([0, 0, 33.33, 50.5, 100]);
    expect(['५०', '৩৩.৩৩', '௫௦,௫', '50 %', '５０％', '٣٣٫٣٣٪', '50\u200b'].map(percentOf)).toEqual([
      50, 33.33, 50.5, 50, 50, 33.33, 50,
    ]);
    expect(['-1', 'x', '1.234', '1e2', '1000'].map(percentOf)).toEqual([null, null, null, null, null]);
    expect(say([101])).toBe('Each percentage must be between 0 and 100');
    expect(say([null, 100])).toBe('Each percentage must be between 0 and 100');
  });

  it('[PAY-013] stay within 0 and 100 while typing', () => {
    expect(['101', '1000', '100.01', '-5', '-0.01'].map(limited)).toEqual(['100', '100', '100', '0', '0']);
    expect(['', '0', '100', '33.33', '50,5', '-'].map(limited)).toEqual([
      '',
      '0',
      '100',
      '33.33',
      '50,5',
      '-',
    ]);
  });

  it('[PAY-014] [PAY-015] must sum to 100, within 0.01', () => {
    expect([isOver([60, 40.01]), isOver([60, 40.02]), isOver([60, null])]).toEqual([false, true, false]);
    expect(say([60, 40.02])).toBe('Total percentage cannot exceed 100%');
    expect(say([60, 39.98])).toBe('Total percentage must equal 100%');
    expect([say([60, 40.01]), say([60, 39.99])]).toEqual([null, null]);
    expect(say([60, 50])).toBe('Total percentage cannot exceed 100%');
    expect(say([60, 30])).toBe('Total percentage must equal 100%');
    expect(say([33.33, 33.33, 33.33])).toBeNull();
    expect(say([60, 40])).toBeNull();
  });

  it('always sum to 100 if divided evenly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (count) => {
        const shares = evenShares(count);
        expect(totalOf(shares)).toBe(100);
        expect(say(shares)).toBeNull();
      }),
    );
  });
});
