import fc from 'fast-check';
import { errorText } from './error-text.ts';

const FALLBACK = 'Login failed';

describe('errorText', () => {
  it('[ERROR-001] shows a detail that is a text', () => {
    expect(errorText({ detail: 'That code is wrong', code: 'otp_wrong' }, FALLBACK)).toBe(
      'That code is wrong',
    );
  });

  it("[ERROR-002] shows a detail that is a list of {loc, msg} as 'loc: msg'", () => {
    const detail = [
      { loc: 'phone_no', msg: 'must have 10 digits' },
      { loc: 'email', msg: 'is not an e-mail address' },
    ];
    expect(errorText({ detail }, FALLBACK)).toBe(
      'phone_no: must have 10 digits, email: is not an e-mail address',
    );
    expect(errorText({ detail: [{ loc: ['body', 'otp'], msg: 'is missing' }] }, FALLBACK)).toBe(
      'body.otp: is missing',
    );
  });

  it('[ERROR-003] shows the message without a detail', () => {
    expect(errorText({ message: 'Phone is taken' }, FALLBACK)).toBe('Phone is taken');
    expect(errorText({ detail: '', message: 'Phone is taken' }, FALLBACK)).toBe('Phone is taken');
  });

  it('[ERROR-004] prefers detail over message', () => {
    expect(errorText({ message: 'second', detail: 'first' }, FALLBACK)).toBe('first');
  });

  it('[ERROR-005] shows a list by its msg or message values joined by commas', () => {
    expect(errorText([{ msg: 'one' }, { message: 'two' }, { other: 'x' }], FALLBACK)).toBe('one, two');
  });

  it('[ERROR-006] shows any other object by its values joined by commas', () => {
    expect(errorText({ phone: 'too short', name: ['missing', 'blank'], left: 2 }, FALLBACK)).toBe(
      'too short, missing, blank, 2',
    );
  });

  it('[ERROR-007] shows the default if the response has none of these', () => {
    for (const response of [undefined, null, '', 'html', 7, {}, [], { detail: null }, { code: 'internal' }]) {
      expect(errorText(response, FALLBACK)).toBe(FALLBACK);
    }
  });

  it('never shows an empty text, an object or the machine code, whatever the response', () => {
    fc.assert(
      fc.property(fc.anything(), (response) => {
        const text = errorText(response, FALLBACK);
        expect(text.trim()).not.toBe('');
        expect(text).not.toContain('[object');
      }),
    );
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (code) => {
        expect(errorText({ code }, FALLBACK)).toBe(FALLBACK);
      }),
    );
  });

  it('always shows a non-empty detail', () => {
    const said = fc.string().filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(said, fc.dictionary(fc.string(), fc.anything()), (detail, others) => {
        expect(errorText({ ...others, detail }, FALLBACK)).toBe(detail.trim());
      }),
    );
  });
});
