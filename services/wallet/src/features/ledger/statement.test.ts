import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { untranslatedWords } from '@karaar/testing/latin-words';
import type { Movement } from './ledger.repository.ts';
import { statementSheet } from './statement.ts';

const issuer = {
  COMPANY_NAME: 'Karaar Agreements Pvt Ltd',
  COMPANY_ADDRESS: '12 MG Road, Pune 411001',
  COMPANY_GSTIN: '27AAPFU0939F1ZV',
};
const DESCRIPTIONS = [
  'Wallet top-up',
  'Payment for Rent, {flat} 2',
  'Reversal of payment for Rent, {flat} 2',
  'Refund to card',
  'Refund to card not possible',
  'Disputed card payment',
  'Disputed card payment returned',
  'Wallet top-up, card fee of ₹11.80 paid on top',
  'Rest given up',
];
const movements = DESCRIPTIONS.map((description, i): Movement => ({
  id: `${i}`,
  description,
  amountPaise: i % 2 === 0 ? 1_00_000_00 : -7_50,
  balancePaise: 1_00_000_00,
  createdAt: new Date('2026-04-01T03:35:00Z'),
}));
const now = new Date('2026-11-25T10:00:00Z');
const sheetIn = (language: Language, rows = movements, period = {}) =>
  statementSheet('9H4TR2WK', period, rows, { now, issuer, language });
const english = sheetIn('en');

it('is in English in the usual form of an Indian bank', () => {
  expect(english.lead).toBe(
    'All transactions up to 25 Nov 2026, oldest first. Times are Indian Standard Time.',
  );
  expect(sheetIn('en', [], { from: '2026-04-01', to: '2026-04-30' }).lead).toContain(
    'from 1 Apr 2026 to 30 Apr 2026,',
  );
  expect(english.rows[0]).toEqual([
    '1 Apr 2026, 9:05 am',
    'Wallet top-up',
    '₹1,00,000.00',
    '',
    '₹1,00,000.00',
  ]);
  expect(english.rows.map((row) => row[1])).toEqual(DESCRIPTIONS);
  expect(english.note).not.toContain('translation');
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  const own = sheetIn(language);

  it('has the same amounts, days and company, and says that it is a translation', () => {
    const digits = (row: readonly string[]) => row.join(' ').match(/\d[\d,.]*/g);
    expect(own.language).toBe(language);
    expect(own.facts.map(({ value }) => value)).toEqual(english.facts.map(({ value }) => value));
    expect(own.rows.map((row) => row.slice(2))).toEqual(english.rows.map((row) => row.slice(2)));
    expect(own.rows.map((row) => digits([row[1] ?? '']))).toEqual(
      english.rows.map((row) => digits([row[1] ?? ''])),
    );
    expect(own.rows[0]?.[0]).toMatch(/^1\b.* 2026,? 0?9:05$/);
    expect(own.note.length).toBeGreaterThan(english.note.length);
  });

  it('translates every transaction and label, and keeps names', () => {
    for (const row of own.rows.slice(1, 3)) expect(row[1]).toContain('Rent, {flat} 2');
    const labels = [...own.facts.map(({ label }) => label), ...own.columns.map(({ title }) => title)];
    const words = [own.part, own.title, own.lead, own.note, ...labels, ...own.rows.flatMap((row) => row)]
      .join(' | ')
      .replaceAll('Rent, {flat} 2', '');
    expect(untranslatedWords(words)).toEqual([]);
    const period = sheetIn(language, [], { from: '2026-04-01', to: '2026-04-30' });
    expect(period.lead).toMatch(/\b1\b.*2026.*\b30\b.*2026/);
    expect(untranslatedWords(period.lead)).toEqual([]);
  });

  it('keeps a description without a translation', () => {
    const odd = { ...movements[0], description: 'Something new' } as Movement;
    expect(sheetIn(language, [odd]).rows[0]?.[1]).toBe('Something new');
  });
});
