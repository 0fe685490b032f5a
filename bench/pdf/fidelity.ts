/**
 * How the PDF, Word and image files of a folder fare when they are uploaded and sealed: taken, or refused with which
 * reason; each sealed page against the upload, by PDFium and by Poppler.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sniffFile } from '@karaar/platform/http-kit';
import { isAlike } from '@karaar/rendering/measure';
import { openJudge, type Outcome, type PageResult } from '@karaar/rendering/testing/judge-sealed';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import type { Measured } from '../lib/parts.ts';
import { processorMs } from '../lib/process.ts';
import { row } from '../lib/report.ts';
import { folderOf } from '../lib/smoke.ts';

const isSame = ({ pdfium, poppler }: PageResult): boolean =>
  [pdfium, poppler].every((view) => !view || view.changed === 0);

/** A smoke looks at two drawn files. */
const drawn = async (): Promise<string> =>
  folderOf({ 'two-pages.pdf': await textPdf('First page', 'Second page'), 'word.docx': docx(['A clause']) });

export async function measureFidelity(given?: string): Promise<Measured> {
  // npm runs scripts in the project's folder and tells where it was called.
  const dir = given === undefined ? await drawn() : resolve(process.env['INIT_CWD'] ?? '.', given);
  const folder = await mkdtemp(join(tmpdir(), 'karaar-bench-fidelity-'));
  const judge = await openJudge(folder);
  const results: { name: string; outcome: Outcome }[] = [];
  try {
    for (const name of (await readdir(dir)).sort()) {
      const path = join(dir, name);
      if (!(await stat(path)).isFile() || !/\.(pdf|docx?|docm|dotx?|rtf|png|jpe?g)$/i.test(name)) continue;
      const { kind } = await sniffFile(path);
      const outcome: Outcome =
        kind === 'other'
          ? { refused: 'kind', reason: 'is not a PDF, DOC, DOCX, PNG or JPEG file' }
          : await judge
              .judge({ name, kind, path })
              .catch((error: unknown) => ({ refused: 'CRASHED', reason: String(error) }));
      results.push({ name, outcome });
      console.log(lineOf(name, outcome));
    }
  } finally {
    await judge.close();
    await rm(folder, { recursive: true, force: true });
  }
  const sealed = results.flatMap(({ outcome }) => ('pages' in outcome ? [outcome] : []));
  const refusals = results.flatMap(({ outcome }) => ('refused' in outcome ? [outcome.refused] : []));
  const pages = sealed.flatMap((file) => file.pages);
  const count = (what: string, is: (page: PageResult) => boolean, atMost?: number) =>
    row(what, pages.filter(is).length, '', { atMost });
  return {
    rows: [
      row('files sealed', sealed.length, '', { note: `of ${results.length}` }),
      row('files refused', refusals.length, '', {
        note: Object.entries(Object.groupBy(refusals, (code) => code))
          .map(([code, all]) => `${code} ${all?.length}`)
          .join(', '),
      }),
      row('pages sealed', pages.length),
      count('… alike to the pixel for both renderers', isSame),
      count('… kept as a picture', ({ isPicture }) => isPicture),
      count('… unlike the upload, and not a picture', (page) => !page.isPicture && !isAlike(page)),
      count('blank pages of pages that are not', ({ isBlank }) => isBlank, 0),
      row('values of fields lost', sealed.flatMap(({ lostValues }) => lostValues).length, '', { atMost: 0 }),
      row('crashes', refusals.filter((code) => code === 'CRASHED').length, '', { atMost: 0 }),
      row(
        'processor time per page, judging included',
        processorMs(process.pid) / 1_000 / Math.max(1, pages.length),
        's',
        { atMost: 1, note: 'Word files and their conversion among them' },
      ),
    ],
    data: results,
  };
}

function lineOf(name: string, outcome: Outcome): string {
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
