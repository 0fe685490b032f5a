import { AppError } from '../errors/index.ts';
import { readLine, readLines, readName, visiblePart } from './index.ts';

const faultOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${JSON.stringify(error.detail)}` : String(error);
  }
  return 'taken';
};

const HIDDEN = [
  ...['\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u180b', '\u180e', '\u200b', '\u200c', '\u200d'],
  ...['\u2060', '\u2061', '\u2064', '\u206a', '\u2800', '\u3164', '\ufe0f', '\uffa0', '\ufff9', '\u{1d173}'],
  ...['\u{e0001}', '\u{e0041}', '\u{e0100}', '\ue000', '\ufdd0', '\ufffe', '\u{1ffff}', '\u{13437}'],
];

it('rejects invisible characters, alone and within a text, and names the character', () => {
  for (const sign of HIDDEN)
    for (const text of [sign, `Asha${sign}Rao`, `Asha Rao${sign}`, `${sign}Asha`, sign.repeat(3)])
      for (const reader of [readLine, readLines, readName]) {
        const code = `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
        expect(faultOf(() => reader('name', text))).toContain(
          `422 [{"loc":"name","msg":"contains a character that shows nothing (${code}`,
        );
      }
  expect(faultOf(() => readName('name', 'A\u200bB'))).toContain('zero-width space');
});

it('rejects marks that are piled up, and marks without a letter in a name', () => {
  for (const text of ['A' + '\u0301\u0327\u0323\u0330\u0334', 'आ' + '\u0902'.repeat(9)])
    for (const reader of [readLine, readLines, readName])
      expect(faultOf(() => reader('x', text))).toContain('has too many marks');
  for (const name of ['Asha \u0301Rao', '\u0947 राव'])
    expect(faultOf(() => readName('x', name))).toContain('has a mark without a letter');
  for (const name of ['Tiệp Nguyễn', 'र्क्ष्म्यैः', 'शृ॒णोꣳ'])
    expect(readName('x', name)).toBe(name.normalize('NFC'));
});

it('accepts the forms of emoji and the flags of regions, without hidden text behind them', () => {
  const flag = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  for (const text of ['paid ✔\ufe0e', '☎\ufe0f 1', flag]) expect(readLines('x', text)).toBe(text);
  expect(faultOf(() => readLines('x', `\u{1f3f4}${'\u{e0061}'.repeat(20)}\u{e007f}`))).toContain('422');
});

it('removes invisible characters, but not the joiners of words and emoji', () => {
  for (const sign of HIDDEN) expect(visiblePart(`lease${sign}.pdf`)).toBe('lease.pdf');
  for (const name of ['क्\u200dष.pdf', 'محمد\u200cعلی.docx', '👨\u200d👩\u200d👧.png', '❤\ufe0f.png'])
    expect(visiblePart(name)).toBe(name);
});

it('treats a text of spaces, marks and control characters as empty', () => {
  for (const text of [
    '',
    '  ',
    '\u00a0\u2003\u3000',
    '\u202e\u2066\t',
    '\ufeff',
    '\u0301\u0301',
    '\u2028\u2029',
  ])
    expect([readLine('x', text), readLines('x', text), readName('x', text)]).toEqual(['', '', '']);
});

it('accepts the characters of Indian and other names', () => {
  for (const name of [
    'Asha Rao',
    'आशा राव',
    'क्\u200dष',
    'ன்\u200c',
    'രാജന്\u200d',
    'শ্রী রাম',
    'র\u200d্যাব',
    'محمد\u200cعلی',
    'O’Brien-D’Souza Jr.',
    'Zoë Müller',
    'Asha राव',
    'M. S. Dhoni 2',
    '김철수',
    '山田はなこ',
    'Иван Петров',
  ])
    expect(readName('name', name)).toBe(name.normalize('NFC'));
  for (const text of ['Rent 🏠', '❤️ ok', '👩\u200d⚖️', '1️⃣ first', '—', '₹ 500/-', 'Rent-किराया2026'])
    expect(readLine('name', text)).toBe(text.normalize('NFC'));
});

it('rejects a name with look-alike letters of another script or style, and names the letter', () => {
  for (const [name, letter] of [
    ['Аsha Rao', 's'],
    ['Ash\u0430 Rao', '\u0430'],
    ['Asha Ра\u043e', 'Р'],
    ['Αsha', 's'],
    ['Ash\u0251\u0430', '\u0430'],
    ['Vikraम', 'म'],
    ['𝐀sha', '𝐀'],
    ['Ａsha', 'Ａ'],
  ])
    expect(faultOf(() => readName('name', name ?? ''))).toContain(`“${letter}”`);
  expect(faultOf(() => readName('name', '...'))).toContain('no letter');
});
