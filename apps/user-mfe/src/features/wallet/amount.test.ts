import fc from 'fast-check';
import { parseAmount } from './amount.ts';
import { walletTexts } from './texts.ts';

beforeAll(() => walletTexts.load());

const faultText = (typed: string) => {
  const parsed = parseAmount(typed);
  return parsed.ok ? null : walletTexts.say(parsed.fault);
};

describe('parseAmount', () => {
  it('[WALLET-006] must be above 0', () => {
    for (const typed of ['', ' ', '0', '-5', 'abc', '0.001', 'NaN', 'Infinity']) {
      expect(faultText(typed)).toBe('Please enter a valid amount');
    }
  });

  it('is at least ₹1, as on the server', () => {
    for (const typed of ['0.01', '0.5', '0.99']) expect(faultText(typed)).toBe('Please enter a valid amount');
    expect(parseAmount('1')).toEqual({ ok: true, rupees: 1 });
  });

  it('has no fractions of a paisa: they are refused, not dropped', () => {
    for (const typed of ['10.005', '1.999', '0.015', '99999.999', '1e-3'])
      expect(faultText(typed)).toBe('Please enter a valid amount');
    expect(parseAmount('10.10')).toEqual({ ok: true, rupees: 10.1 });
  });

  it('[WALLET-007] is at most 1,00,000, which is accepted', () => {
    expect(parseAmount('100000')).toEqual({ ok: true, rupees: 100_000 });
    expect(faultText('100000.01')).toBe('Maximum amount is 1,00,000 INR');
  });

  it('accepts an amount as people in India write it, in any script', () => {
    for (const typed of ['500', '₹500', 'Rs. 500', '500/-', '५००', '৫০০', '௫௦௦', ' 500.00 '])
      expect([typed, parseAmount(typed)]).toEqual([typed, { ok: true, rupees: 500 }]);
    expect(parseAmount('1,00,000')).toEqual({ ok: true, rupees: 100_000 });
    expect(faultText('5,00,000')).toBe('Maximum amount is 1,00,000 INR');
    expect(faultText('1,50')).toBe('Please enter a valid amount');
  });

  it('keeps every amount of paise exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 10_000_000 }), (paise) => {
        const parsed = parseAmount((paise / 100).toFixed(2));
        expect(parsed).toEqual({ ok: true, rupees: paise / 100 });
      }),
    );
  });
});
