import { readFile } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { pageCount, textOf } from '@karaar/testing/pdf-judges';
import { makeSample, MARK, SAMPLE } from '../../scripts/sample.ts';

jest.setTimeout(60_000);

/** The words of each page without hashes, which depend on the time when the file with the terms is drawn. */
const words = async (pdf: Uint8Array): Promise<string[]> => {
  const pages = Array.from({ length: await pageCount(pdf) }, (_, index) => textOf(pdf, index + 1));
  return (await Promise.all(pages)).map((text) => text.replace(/[0-9a-f]{12,}/g, '#').replace(/\s+/g, ' '));
};

it('is current, and each page says that it is a sample', async () => {
  const kept = await words(await readFile(SAMPLE));
  expect(kept).toEqual(await words(await makeSample()));
  expect(kept.length).toBeGreaterThan(3);
  for (const page of kept) expect(page).toContain(MARK);
});
