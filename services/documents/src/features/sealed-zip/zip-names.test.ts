import fc from 'fast-check';
import { zipName } from './zip-names.ts';

const CODE = '7T0HNGEC';

it.each([
  ['Rent agreement', 'Rent agreement'],
  ['किराया समझौता', 'किराया समझौता'],
  ['क्‍ष', 'क्‍ष'],
  ['../../etc/passwd', 'etc passwd'],
  ['..\\..\\boot.ini', 'boot.ini'],
  ['/absolute', 'absolute'],
  ['C:\\Users', 'C Users'],
  ['.hidden', 'hidden'],
  ['Rent\u202Efdp.exe', 'Rentfdp.exe'],
  ['a\u0000b\nc\u001bd\u0085e', 'a b c d e'],
  ['a\u2028b\u2066c\u2069\u200e\ufeff', 'a bc'],
  ['a\ud800b', 'a b'],
  ['CON', 'CON'],
  ['  many   spaces  ', 'many spaces'],
  ['\u200c\u202e...', '\u200c...'],
  ['...', 'document'],
  ['', 'document'],
])('%j becomes a safe file name', (name, safe) => {
  expect(zipName(name, CODE)).toBe(`${safe}-${CODE}`);
});

it('cuts a long name between whole characters', () => {
  const name = zipName('क्षि'.repeat(100), CODE);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180 + 9);
  expect(name).toMatch(/^(?:क्षि)+-7T0HNGEC$/);
});

it('is one component of a path for any name, valid as UTF-8 and within the limits of file systems', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const file = `${zipName(name, CODE)}-receipt.html`;
      expect(file).not.toMatch(/[/\\\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(file).not.toMatch(/^\s*\./);
      expect(Buffer.byteLength(file)).toBeLessThan(255);
      expect(Buffer.from(file).toString()).toBe(file);
    }),
  );
});
