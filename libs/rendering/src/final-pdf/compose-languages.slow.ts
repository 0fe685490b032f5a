/** The certificate in the languages of the parties, as poppler reads it from the PDF. */
import { LAW } from '@karaar/contracts/cms/law';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type ComposedPdf, createRenderer, type Renderer } from './compose.ts';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { complaints, pageCount, textOf, tool } from '@karaar/testing/pdf-judges';
import { estimatePages } from './estimate.ts';
import { agreement } from '../testing/samples.ts';
import type { FinalPdfInput } from '../types.ts';

jest.setTimeout(180_000);

let workDir: string;
let renderer: Renderer;
let input: FinalPdfInput;
let english: ComposedPdf;
let both: ComposedPdf;

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'karaar-languages-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  input = await agreement({ law: LAW });
  english = await renderer.composeFinalPdf(input);
  both = await renderer.composeFinalPdf({ ...input, languages: ['hi', 'ta'] });
});
afterAll(async () => {
  await renderer.close();
  await rm(workDir, { recursive: true });
});

/** Removes spaces and joiners, because poppler orders them differently. */
const letters = (text: string): string => text.replace(/[\s\u200b-\u200d]+/g, '');
const textFrom = async ({ pdf }: ComposedPdf, first: number, last: number): Promise<string> =>
  tool('pdftotext', (file) => ['-f', `${first}`, '-l', `${last}`, file, '-'], pdf);

it('follows the English certificate, in order, and the parts sum to the file', async () => {
  const { pages } = both;
  expect(pages.total).toBe(pages.agreement + pages.raw + pages.signatures + pages.certificate);
  expect(await pageCount(both.pdf)).toBe(pages.total);
  expect(await complaints(both.pdf)).toBe('');
  const each = english.pages.certificate;
  const [enFirst, hiFirst] = [
    pages.total - pages.certificate + 1,
    pages.total - pages.certificate + 1 + each,
  ];
  expect(await textOf(both.pdf, enFirst)).toContain('Certificate of completion');
  expect(await textOf(both.pdf, enFirst)).toContain('This certificate follows in Hindi and Tamil as well.');
  const hindi = letters(await textOf(both.pdf, hiFirst));
  expect(hindi).toContain(letters('पूर्णता'));
  expect(hindi).toContain('7K3M9QXA');
  const rest = letters(await textFrom(both, hiFirst, pages.total));
  expect(letters(await textFrom(both, enFirst, hiFirst - 1))).toContain(letters('Under section 10A of the'));
  for (const words of [
    'धारा 10क',
    'பிரிவு 10அ',
    'अनुवाद',
    'AshaRao',
    'VikramShah',
    '₹547.50',
    'DocMDPP=1',
    'மொழிபெயர்ப்பு',
    'முத்திரை',
  ])
    expect(rest).toContain(letters(words));
  expect(rest).not.toContain('Certificateofcompletion');
});

it('numbers each page within the whole file, in its own language', async () => {
  const { total, certificate } = both.pages;
  const last = letters(await textOf(both.pdf, total));
  expect(last).toContain(letters(`பக்கம் ${total} / ${total}`));
  const firstHindi = total - certificate + 1 + english.pages.certificate;
  expect(letters(await textOf(both.pdf, firstHindi))).toContain(letters(`पन्ना ${firstHindi}`));
  for (let n = 1; n < firstHindi; n += 1)
    if (n <= both.pages.agreement || n > both.pages.agreement + both.pages.raw)
      expect(await textOf(both.pdf, n)).toContain(`Page ${n} of ${total}`);
});

it('is listed in the contents with its number of pages', async () => {
  const { total, certificate, agreement: pages } = both.pages;
  const contents = await tool('pdftotext', (file) => ['-l', `${pages}`, '-layout', file, '-'], both.pdf);
  const span = (language: string): number[] =>
    new RegExp(`The certificate in ${language}\\s+(\\d+)(?:–(\\d+))?`).exec(contents)!.slice(1).map(Number);
  const [hindi, tamil] = [span('Hindi'), span('Tamil')];
  expect(hindi[0]).toBe(total - certificate + 1 + english.pages.certificate);
  expect(tamil[0]).toBe((hindi[1] || hindi[0]!) + 1);
  expect(tamil[1] || tamil[0]).toBe(total);
  expect(estimatePages({ ...input, languages: ['hi', 'ta'] })).toMatchObject({
    hi: (hindi[1] || hindi[0]!) - hindi[0]! + 1,
    ta: (tamil[1] || tamil[0]!) - tamil[0]! + 1,
  });
});

it('leaves the translations out if the file would be too long with them', async () => {
  const { agreement: pages, raw, signatures, certificate } = english.pages;
  const limits = { pages: pages + raw + signatures + certificate + 1 };
  const small = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir, limits });
  try {
    const { pages: fitted } = await small.composeFinalPdf({ ...input, languages: ['hi', 'ta'] });
    expect(fitted).toEqual(english.pages);
  } finally {
    await small.close();
  }
});

it.each([
  ['no languages', []],
  ['English alone', ['en']],
  ['a language that this build does not know', ['xx']],
])('with %s the file has no translations', async (_what, languages) => {
  const { pdf, pages } = await renderer.composeFinalPdf({ ...input, languages: languages as [] });
  expect(pages).toEqual(english.pages);
  expect(await textOf(pdf)).toBe(await textOf(english.pdf));
});
