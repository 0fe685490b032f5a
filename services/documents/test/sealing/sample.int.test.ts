/** The sample on the welcome page says what sealed PDFs say today; `npm run sample` writes it again. */
import { readFile } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { pageCount, textOf } from '@karaar/testing/pdf-judges';
import { makeSample, MARK, SAMPLE } from '../../scripts/sample.ts';

jest.setTimeout(60_000);

/** What each page says, without hashes: the time at which the file with the terms is drawn is in them. */
const words = async (pdf: Uint8Array): Promise<string[]> => {
  const pages = Array.from({ length: await pageCount(pdf) }, (_, index) => textOf(pdf, index + 1));
  return (await Promise.all(pages)).map((text) => text.replace(/[0-9a-f]{12,}/g, '#').replace(/\s+/g, ' '));
};

it('the sample is of this release, and says on each page that it is one', async () => {
  const kept = await words(await readFile(SAMPLE));
  expect(kept).toEqual(await words(await makeSample()));
  expect(kept.length).toBeGreaterThan(3);
  for (const page of kept) expect(page).toContain(MARK);
});
