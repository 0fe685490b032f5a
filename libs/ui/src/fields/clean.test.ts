import fc from 'fast-check';
import { digitsOnly, otpOnly } from './clean.ts';

describe('digitsOnly', () => {
  it.each([
    ['98765 43210', '9876543210'],
    ['+91 98765-43210', '9876543210'],
    ['09876543210', '9876543210'],
    ['919876543210', '9876543210'],
    ['9198765432', '9198765432'],
    ['98765432101234', '9876543210'],
    ['98a76', '9876'],
  ])('%s → %s', (typed, kept) => expect(digitsOnly(typed)).toBe(kept));

  it('keeps at most 10 digits of anything and all of a number that is typed digit by digit', () => {
    fc.assert(
      fc.property(fc.string(), (text) => /^\d{0,10}$/.test(digitsOnly(text))),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[6-9]\d{9}$/), (number) => {
        let value = '';
        for (const digit of number) value = digitsOnly(value + digit);
        return value === number;
      }),
    );
  });
});

describe('otpOnly', () => {
  it.each([
    ['a1b2c3', 'A1B2C3'],
    ['A1B 2C3', 'A1B2C3'],
    ['K7MP2Q is your Karaar code.', 'K7MP2Q'],
    ['Your code: 7K2M9Q. Do not share it.', '7K2M9Q'],
    ['A1B2C3D4', 'A1B2C3'],
    ['a-1', 'A1'],
  ])('%s → %s', (typed, kept) => expect(otpOnly(typed)).toBe(kept));
});
