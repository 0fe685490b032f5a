import fc from 'fast-check';
import { codeOnly, digitsOnly, otpOnly, typedSoFar } from './clean.ts';

describe('digitsOnly', () => {
  it.each([
    ['98765 43210', '9876543210'],
    ['+91 98765-43210', '9876543210'],
    ['09876543210', '9876543210'],
    ['919876543210', '9876543210'],
    ['9198765432', '9198765432'],
    ['98765432101234', '9876543210'],
    ['98a76', '9876'],
    ['+९१ ९८७६५ ४३२१०', '9876543210'],
    ['௯௮௭௬௫௪௩௨௧௦', '9876543210'],
    ['۹۸۷۶۵۴۳۲۱۰', '9876543210'],
    ['٠٩٨٧٦٥٤٣٢١٠', '9876543210'],
    ['0091 98765 43210', '9876543210'],
    ['+91 (0) 98765.43210', '9876543210'],
    ['９８７６５４３２１０', '9876543210'],
    ['\u202a+91 98765 43210\u202c', '9876543210'],
    ['＋９१ 98765 43210', '9876543210'],
    ['+91–98765–43210', '9876543210'],
    ['tel:+919876543210', '9876543210'],
  ])('%s → %s', (typed, kept) => expect(digitsOnly(typed)).toBe(kept));

  it.each(['+91-98765 43210', '919876543210', '0091 98765 43210', '+91 (0) 98765.43210', '०९८७६५४३२१०'])(
    'reads %s typed key by key',
    (keys) => {
      let [before, shown] = ['', ''];
      for (const key of keys) {
        before = typedSoFar(digitsOnly, { before, shown, next: shown + key });
        shown = digitsOnly(before);
      }
      expect(shown).toBe('9876543210');
      // A correction replaces all that was typed.
      before = typedSoFar(digitsOnly, { before, shown, next: '98765' });
      expect(typedSoFar(digitsOnly, { before, shown: '98765', next: '987650' })).toBe('987650');
    },
  );

  it.each(['660', '6F0', '966', '9E6', 'A66', 'AE6', 'B66', 'BE6', 'C66', 'CE6', 'D66'])(
    'reads the digits from U+0%s on',
    (zero) => {
      const row = Array.from({ length: 10 }, (_, digit) =>
        String.fromCodePoint(parseInt(zero, 16) + digit),
      ).join('');
      expect(digitsOnly(`9${row.slice(1)}`)).toBe('9123456789');
      expect(codeOnly(row)).toBe('01234567');
    },
  );

  it('[AUTH-002] [AUTH-003] keeps at most 10 digits of any text, and all digits typed one by one', () => {
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
    ['a१b२c३', 'A1B2C3'],
    ['A1B 2C3', 'A1B2C3'],
    ['K7MP2Q is your Karaar code.', 'K7MP2Q'],
    ['Your code: 7K2M9Q. Do not share it.', '7K2M9Q'],
    ['A1B2C3D4', 'A1B2C3'],
    ['a-1', 'A1'],
    ['ａ１ｂ２ｃ３', 'A1B2C3'],
    ['A1B\u200b2C3\n', 'A1B2C3'],
  ])('%s → %s', (typed, kept) => expect(otpOnly(typed)).toBe(kept));

  it('[AUTH-004] keeps at most 6 characters of any text', () => {
    fc.assert(fc.property(fc.string(), (text) => /^[A-Z0-9]{0,6}$/.test(otpOnly(text))));
  });
});

describe('codeOnly', () => {
  it.each([
    ['9h4t r2wk99', '9H4TR2WK'],
    [' 7k3m-9qxa ', '7K3M9QXA'],
    ['7K3M\u202f9QXA\n', '7K3M9QXA'],
    ['७k3m9qxa', '7K3M9QXA'],
    ['７Ｋ３Ｍ－９ＱＸＡ', '7K3M9QXA'],
    ['7TOH NGEC', '7T0HNGEC'],
    ['ID: 7T0H NGEC', '7T0HNGEC'],
    ['https://karaar.example/verify/7t0hngec', '7T0HNGEC'],
    ['', ''],
  ])('[DOC-012] [DOC-080] [DOC-081] %j → %s', (typed, kept) => expect(codeOnly(typed)).toBe(kept));

  it('[DOC-080] [DOC-081] keeps at most 8 characters of any text, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const code = codeOnly(typed);
        expect(code).toMatch(/^[A-Z0-9]{0,8}$/);
        expect(codeOnly(code)).toBe(code);
      }),
    );
  });
});
