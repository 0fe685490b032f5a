import { readCode, readDigits, readPhone } from './read.ts';

/** The digits 0 to 9 of India's scripts, and of a few others. */
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x1c50, 0xabf0, 0xff10,
];
const inScript = (zero: number, text: string): string =>
  text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));

it('reads the digits of every script, and leaves other characters unchanged', () => {
  for (const zero of ZEROS) expect(readDigits(inScript(zero, 'a 0123456789 b'))).toBe('a 0123456789 b');
  for (let code = 0; code < 0x20000; code += 1) {
    const sign = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code);
    if (/^\p{Nd}$/u.test(sign)) expect(readDigits(sign)).toMatch(/^[0-9]$/);
  }
  expect(readDigits('½ ² अ')).toBe('½ ² अ');
});

it('reads a phone number in the usual spellings', () => {
  for (const typed of [
    '9876543210',
    '+919876543210',
    '919876543210',
    '0091 98765 43210',
    '09876543210',
    '+91 (0) 98765-43210',
    '(+91) 98765.43210',
    '98765\u00a043210',
    '\u202a+91 98765 43210\u202c',
    '98765–43210',
    '９８７６５４３２１０',
    '(0)98765.43210',
    '+91–98765—43210\n',
    '＋９１ ９８７６５ ４３２１０',
    'tel:+91-98765-43210',
    ...ZEROS.map((zero) => inScript(zero, '+91 98765 43210')),
  ])
    expect([typed, readPhone(typed)]).toEqual([typed, '+919876543210']);
  for (const typed of [
    '',
    '12345',
    '+4479111234567',
    '98765432101',
    'a9876543210',
    '+929876543210',
    '9876543210x',
  ])
    expect([typed, readPhone(typed)]).toEqual([typed, undefined]);
});

it('reads an ID as the product prints it, and as people copy it', () => {
  for (const typed of [
    '7T0HNGEC',
    '7T0H NGEC',
    '7t0h-ngec',
    ' 7T0H\u00a0NGEC ',
    '7TOH NGEC',
    '७T०H NGEC',
    '7T0H\u200bNGEC',
    '７ｔ０ｈ－ｎｇｅｃ',
    '7T0H\u202fNGEC\n',
  ])
    expect([typed, readCode(typed)]).toEqual([typed, '7T0HNGEC']);
  for (const typed of ['', '7T0HNGE', '7T0HNGECX', '7T0HNGEU', 'अ7T0HNGE'])
    expect([typed, readCode(typed)]).toEqual([typed, undefined]);
});
