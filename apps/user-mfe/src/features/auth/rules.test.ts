import { isWholePhone, withPrefix } from './rules.ts';

describe('a phone number', () => {
  it('[AUTH-010] is whole with exactly 10 digits', () => {
    expect(['9876543210', '987654321', '98765432101', ''].map(isWholePhone)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('is sent with +91', () => {
    expect(withPrefix('9876543210')).toBe('+919876543210');
  });
});
