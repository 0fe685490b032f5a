/**
 * What becomes of files when they are uploaded and sealed (design §4): accepted, refused with which reason, sealed; how
 * each sealed page looks against the upload, by PDFium and by Poppler. On more than a hundred documents that are drawn
 * here, and on those of the folder that is named.
 */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sniffFile } from '@karaar/platform/http-kit';
import { DEFAULT_LIMITS } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { createPdfEngine, isAlike } from '@karaar/rendering/measure';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { createSealer } from '@karaar/sealing';
import { report } from '../lib/report.ts';
import { isSmoke } from '../lib/smoke.ts';
import { generated } from './generated.ts';
import { judge, type Input, type Outcome, type PageResult } from './judge.ts';

type Result = { name: string; expected?: string; outcome: Outcome };

const given = process.argv[2];
const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-fidelity-'));
const renderer = createRenderer({
  chromiumPath: CHROMIUM,
  sofficePath: SOFFICE,
  workDir: join(folder, 'work'),
});
const pdf = createPdfEngine(DEFAULT_LIMITS);
const results: Result[] = [];
const crashed: string[] = [];
try {
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });
  const tools = { renderer, pdf, sealer, folder };
  const own = (await generated()).filter((_, at) => !isSmoke || at % 20 === 0);
  for (const { name, bytes, refused } of own) {
    const path = join(folder, 'drawn');
    await writeFile(path, bytes);
    await take(name, path, refused ?? 'taken');
  }
  const dir = given === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? '.', given);
  for (const name of dir === undefined ? [] : (await readdir(dir)).sort()) {
    const path = join(dir ?? '', name);
    if ((await stat(path)).isFile() && /\.(pdf|docx?|docm|dotx?|rtf|png|jpe?g)$/i.test(name))
      await take(name, path);
  }

  async function take(name: string, path: string, expected?: string): Promise<void> {
    const { kind } = await sniffFile(path);
    const isDocument = kind !== 'other' && (await stat(path)).size > 0;
    const unknown = { refused: 'kind', reason: 'is not a PDF, DOC, DOCX, PNG or JPEG file', ms: 0 };
    const judging = isDocument
      ? judge({ name, kind, path } satisfies Input, tools)
      : Promise.resolve(unknown);
    const outcome = await judging.catch((error: unknown) => {
      crashed.push(name);
      return { refused: 'CRASHED', reason: String(error), ms: 0 };
    });
    results.push({ name, outcome, ...(expected === undefined ? {} : { expected }) });
    console.log(line(name, outcome));
  }
} finally {
  await Promise.all([renderer.close(), pdf.close()]);
  await rm(folder, { recursive: true, force: true });
}

const sealed = results.flatMap(({ name, outcome }) => ('pages' in outcome ? [{ name, ...outcome }] : []));
const pages = sealed.flatMap((file) => file.pages);
const refused = results.filter(({ outcome }) => 'refused' in outcome);
const unexpected = results.filter(
  ({ expected, outcome }) =>
    expected !== undefined && expected !== ('refused' in outcome ? outcome.refused : 'taken'),
);

console.log();
process.exitCode = report({
  name: 'fidelity',
  rows: [
    { what: 'files', value: results.length, unit: '' },
    { what: 'sealed', value: sealed.length, unit: 'files' },
    { what: 'refused', value: refused.length, unit: 'files', note: reasons() },
    { what: 'pages sealed', value: pages.length, unit: '' },
    { what: '… alike to the pixel for both renderers', value: pages.filter(isSame).length, unit: '' },
    { what: '… kept as a picture', value: pages.filter(({ isPicture }) => isPicture).length, unit: '' },
    {
      what: '… unlike the upload, and not a picture',
      value: pages.filter((page) => !page.isPicture && !isAlike(page)).length,
      unit: '',
      note: 'a field with letters of its own program’s appearance',
    },
    {
      what: 'values of fields lost',
      value: sum(sealed.map((file) => file.lostValues.length)),
      unit: '',
      budget: { atMost: 0 },
    },
    {
      what: 'blank pages of pages that are not',
      value: pages.filter(({ isBlank }) => isBlank).length,
      unit: '',
      budget: { atMost: 0 },
    },
    {
      what: 'crashes',
      value: crashed.length,
      unit: '',
      budget: { atMost: 0 },
      note: crashed.slice(0, 5).join(', '),
    },
    {
      what: 'drawn files with another outcome than theirs',
      value: unexpected.length,
      unit: '',
      budget: { atMost: 0 },
      note: unexpected.map(({ name }) => name).join(', '),
    },
    {
      what: 'processor time per page, judging included',
      value: (await processorSeconds()) / Math.max(1, pages.length),
      unit: 's',
      budget: { atMost: 1 },
      note: 'Word files and their conversion among them',
    },
  ],
  data: { results },
});

function line(name: string, outcome: Outcome): string {
  if ('refused' in outcome) return `${name}: refused, ${outcome.refused}: ${outcome.reason}`;
  const views = outcome.pages
    .filter((page) => !isSame(page) || page.isPicture)
    .slice(0, 6)
    .map(({ page, isPicture, pdfium, poppler }) => {
      const view = (one: typeof pdfium): string => (one ? `${one.changed}/${one.lost}` : '–');
      return `page ${page}${isPicture ? ' (picture)' : ''} ${view(pdfium)} ${view(poppler)}`;
    });
  const lost = outcome.lostValues.length > 0 ? `; LOST ${outcome.lostValues.join(', ')}` : '';
  const same = views.length === 0 ? 'alike' : `pixels changed/lost by PDFium, Poppler: ${views.join('; ')}`;
  return `${name}: sealed, ${outcome.pages.length} pages in ${Math.round(outcome.ms)} ms, ${same}${lost}`;
}

function isSame({ pdfium, poppler }: PageResult): boolean {
  return [pdfium, poppler].every((view) => !view || view.changed === 0);
}

function reasons(): string {
  const counts = new Map<string, number>();
  for (const { outcome } of results) {
    if ('refused' in outcome) counts.set(outcome.refused, (counts.get(outcome.refused) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => `${code} ${count}`).join(', ');
}

/** Of this process and of all that have ended under it. */
async function processorSeconds(): Promise<number> {
  const text = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  const ticks = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return sum(ticks.map(Number)) / 100;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
