/** Receipts and statements in each language, as poppler reads them from the PDF. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { AccountPage } from '@karaar/contracts/documents/print';
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { complaints, pageCount, textOf } from '@karaar/testing/pdf-judges';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { createRenderer, type Renderer } from './compose.ts';

jest.setTimeout(180_000);

let workDir: string;
let renderer: Renderer;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-accounts-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
});
afterAll(async () => {
  await renderer.close();
  await rm(workDir, { recursive: true });
});

/**
 * Text that is hard to shape: conjuncts, vowel signs before their letter, and the longest label of a receipt.
 */
const WORDS: Record<Language, { title: string; label: string; page: string }> = {
  en: { title: 'Payment receipt', label: 'Payer’s share', page: 'Page 1 of 1' },
  hi: { title: 'भुगतान की रसीद', label: 'भुगतान करने वाले का हिस्सा', page: 'पन्ना 1, कुल 1' },
  ta: { title: 'பேமெண்ட் ரசீது', label: 'செலுத்தியவரின் பங்கு', page: 'பக்கம் 1 / 1' },
  bn: { title: 'পেমেন্টের রসিদ', label: 'পরিশোধকারীর অংশ', page: 'পাতা 1, মোট 1' },
  mr: { title: 'पेमेंटची पावती', label: 'भरणाऱ्याचा वाटा', page: 'पान 1, एकूण 1' },
  te: { title: 'చెల్లింపు రసీదు', label: 'చెల్లించినవారి వాటా', page: 'పేజీ 1 / 1' },
};
const pageIn = (language: Language, rows = 1): AccountPage => ({
  language,
  part: WORDS[language].title,
  title: WORDS[language].title,
  lead: '“கரார்” ₹1,23,456.00',
  reference: '9H4T R2WK',
  facts: [{ label: WORDS[language].label, value: '₹12,34,567.89' }],
  columns: [{ title: WORDS[language].label, numeric: true }],
  rows: Array.from({ length: rows }, (_, i) => [`₹${i + 1}.00`]),
  note: '',
});
/** Removes spaces and sorts the letters: poppler reorders vowel signs. */
const letters = (text: string): string => [...text.replace(/[\s\u200b-\u200d]+/g, '')].sort().join('');
const lines = (text: string): string[] => text.split('\n').map(letters);

it.each(LANGUAGES)(
  'is drawn in %s, with amounts in rupees and its page numbered in the language',
  async (language) => {
    const pdf = await renderer.printAccount(pageIn(language));
    expect(await complaints(Buffer.from(pdf))).toBe('');
    const text = await textOf(pdf);
    expect(text).toContain('₹12,34,567.89');
    const { title, label, page } = WORDS[language];
    const read = lines(text);
    for (const words of [title, label]) expect(read).toContain(letters(words));
    expect(read.some((line) => line === letters(`Karaar · 9H4T R2WK${page}`))).toBe(true);
  },
);

it('numbers the pages of the original and its translation together, each in its own language', async () => {
  const sheet = { ...pageIn('en', 60), translation: pageIn('ta', 60) };
  const pdf = await renderer.printAccount(sheet);
  const total = await pageCount(pdf);
  expect(total % 2).toBe(0);
  expect(total).toBeGreaterThan(2);
  for (let n = 1; n <= total; n += 1) {
    const text = await textOf(pdf, n);
    if (n <= total / 2) expect(text).toContain(`Page ${n} of ${total}`);
    else expect(lines(text)).toContain(letters(`Karaar · 9H4T R2WK பக்கம் ${n} / ${total}`));
    // The header of the following pages is in capitals in scripts that have them.
    expect(text.toLowerCase().includes('payment receipt')).toBe(n <= total / 2);
    expect(text).toContain('₹');
  }
});

it('does not break words of labels and titles in narrow columns', async () => {
  const facts = Array.from({ length: 8 }, () => ({ label: WORDS.ta.label, value: '1' }));
  const pdf = await renderer.printAccount({ ...pageIn('ta', 0), columns: [], facts });
  const words = (await textOf(pdf)).split(/\s+/).map(letters);
  expect(words.filter((word) => word === letters('செலுத்தியவரின்'))).toHaveLength(8);
});

it('keeps the amounts of neighbouring columns apart, however wide the other text is', async () => {
  const [what, money] = [
    { title: 'Details', numeric: false },
    { title: 'Balance', numeric: true },
  ];
  const pdf = await renderer.printAccount({
    ...pageIn('en'),
    columns: [what, what, money, money, money],
    rows: [
      ['1 Apr 2026', 'Payment for the rent of a flat '.repeat(6), '₹1,00,000.00', '₹7.50', '₹12,34,568.50'],
    ],
  });
  expect(await textOf(pdf)).toMatch(/₹1,00,000\.00 +₹7\.50 +₹12,34,568\.50/);
});
