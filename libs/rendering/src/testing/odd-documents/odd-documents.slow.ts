import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { jest } from '@jest/globals';
import type { RawFileKind } from '../../types.ts';
import { isAlike } from '../../uploads/prepare-upload.ts';
import { openJudge, type Judge } from '../judge-sealed.ts';
import { generated } from './generated.ts';

jest.setTimeout(600_000);

const KINDS: Readonly<Record<string, RawFileKind>> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.doc': 'doc',
  '.png': 'image',
  '.jpg': 'image',
};
/** The reasons for which documents must be refused; all others must be accepted. */
const REFUSED: Readonly<Record<string, string>> = {
  'field-text-indic-drawn.pdf': 'pdf_letters',
  'field-text-indic-not-drawn.pdf': 'pdf_letters',
  'file-cut-short.pdf': 'pdf_broken',
  'file-encrypted-locked.pdf': 'pdf_encrypted',
  'odd-xfa-alone.pdf': 'pdf_xfa',
  // No viewer shows any part of it.
  'odd-crop-outside.pdf': 'pdf_broken',
  'odd-portfolio.pdf': 'pdf_collection',
  'odd-locked-by-certificate.pdf': 'pdf_cipher',
  'odd-font-not-there.pdf': 'pdf_fonts',
  'word-macros.docx': 'office_macros',
  'word-locked.docx': 'office_encrypted',
};

let folder: string;
let judge: Judge;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-odd-documents-test-'));
  judge = await openJudge(folder);
});
afterAll(async () => {
  await judge.close();
  await rm(folder, { recursive: true });
});

it('more than two hundred documents, each with one condition, are sealed without a visible change or refused with their reason', async () => {
  const documents = Object.entries(await generated());
  expect(documents.length).toBeGreaterThan(200);
  const refused: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [name, bytes] of documents) {
    const path = join(folder, 'document');
    await writeFile(path, bytes);
    const outcome = await judge.judge({ name, kind: KINDS[extname(name)]!, path });
    if ('refused' in outcome) {
      refused[name] = outcome.refused;
      continue;
    }
    if (outcome.lostValues.length > 0) wrong.push(`${name}: lost ${outcome.lostValues.join(', ')}`);
    for (const page of outcome.pages)
      if (page.isBlank || !(page.isPicture || isAlike(page)))
        wrong.push(`${name}: page ${page.page} ${JSON.stringify(page)}`);
  }
  expect(wrong).toEqual([]);
  expect(refused).toEqual(REFUSED);
});
