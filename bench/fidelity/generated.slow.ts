import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { sniffFile } from '@karaar/platform/http-kit';
import { DEFAULT_LIMITS, type Renderer } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { createPdfEngine, isAlike } from '@karaar/rendering/measure';
import { createSealer } from '@karaar/sealing';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { generated } from './generated.ts';
import { judge, type Tools } from './judge.ts';

jest.setTimeout(600_000);

let tools: Tools;
let renderer: Renderer;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'karaar-fidelity-test-'));
  renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir: join(folder, 'work') });
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });
  tools = { renderer, pdf: createPdfEngine(DEFAULT_LIMITS), sealer, folder };
});
afterAll(async () => {
  await Promise.all([renderer.close(), tools.pdf.close()]);
  await rm(tools.folder, { recursive: true });
});

it('more than a hundred documents, each with one condition, are sealed as they look or refused with their reason', async () => {
  const documents = await generated();
  expect(documents.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const { name, bytes, refused } of documents) {
    const path = join(tools.folder, 'document');
    await writeFile(path, bytes);
    const { kind } = await sniffFile(path);
    if (kind === 'other') throw new Error(`${name} is not known as a document`);
    const outcome = await judge({ name, kind, path }, tools);
    if ('refused' in outcome) {
      if (outcome.refused !== refused) wrong.push(`${name}: refused, ${outcome.reason}`);
      continue;
    }
    if (refused !== undefined) wrong.push(`${name}: taken`);
    if (outcome.lostValues.length > 0) wrong.push(`${name}: lost ${outcome.lostValues.join(', ')}`);
    for (const page of outcome.pages) {
      const isKnown = page.isPicture || isAlike(page);
      if (page.isBlank || !isKnown) wrong.push(`${name}: page ${page.page} ${JSON.stringify(page)}`);
    }
  }
  expect(wrong).toEqual([]);
});
