import fc from 'fast-check';
import { isWholePhone, otpCharacters, phoneDigits, withPrefix } from './rules.ts';

describe('the phone field', () => {
  it('[AUTH-002] [AUTH-003] takes digits only, at most 10', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(phoneDigits(typed)).toMatch(/^\d{0,10}$/);
      }),
    );
    expect(phoneDigits('98765-43210 99')).toBe('9876543210');
  });

  it('takes a pasted number with its +91', () => {
    expect(phoneDigits('+91 98765 43210')).toBe('9876543210');
    expect(withPrefix('9876543210')).toBe('+919876543210');
  });

  it('[AUTH-010] a whole number has exactly 10 digits', () => {
    expect(['9876543210', '987654321', '98765432101', ''].map(isWholePhone)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the OTP field', () => {
  it('[AUTH-004] takes at most 6 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (typed) => {
        expect(otpCharacters(typed).length).toBeLessThanOrEqual(6);
      }),
    );
    expect(otpCharacters('ab c2 9xz')).toBe('ABC29X');
  });
});
