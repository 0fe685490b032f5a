/** Seals the files of a folder, and compares each page with the upload by PDFium and by Poppler. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sniffFile } from '@karaar/http';
import { isAlike } from '@karaar/rendering/measure';
import { openJudge, type Outcome, type PageResult } from '@karaar/rendering/testing/judge-sealed';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { scratch } from '@karaar/testing/scratch';
import { processorMs } from '../lib/process.ts';
import { none, row, type Measured } from '../lib/report.ts';
import { folderOf } from '../lib/smoke.ts';

const isSame = ({ pdfium, poppler }: PageResult): boolean =>
  [pdfium, poppler].every((view) => !view || view.changed === 0);

const drawn = async (): Promise<string> =>
  folderOf({ 'two-pages.pdf': await textPdf('First page', 'Second page'), 'word.docx': docx(['A clause']) });

export async function measureFidelity(given?: string): Promise<Measured> {
  // npm runs scripts in the project's folder, and names the caller's folder in INIT_CWD.
  const dir = given === undefined ? await drawn() : resolve(process.env['INIT_CWD'] ?? '.', given);
  const { dir: folder, remove } = scratch();
  const judge = await openJudge(folder);
  const results: { name: string; outcome: Outcome }[] = [];
  try {
    for (const name of (await readdir(dir)).sort()) {
      const path = join(dir, name);
      if (!(await stat(path)).isFile() || !/\.(pdf|docx?|docm|dotx?|rtf|png|jpe?g)$/i.test(name)) continue;
      const { kind } = await sniffFile(path);
      const crashed = (error: unknown): Outcome => ({ refused: 'CRASHED', reason: String(error) });
      const outcome: Outcome =
        kind === 'other'
          ? { refused: 'kind', reason: 'is not a PDF, DOC, DOCX, PNG or JPEG file' }
          : await judge.judge({ name, kind, path }).catch(crashed);
      results.push({ name, outcome });
    }
  } finally {
    await judge.close();
    remove();
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
      count('… with identical pixels in both renderers', isSame),
      count('… stored as a picture', ({ isPicture }) => isPicture),
      count('… different from the upload, and not a picture', (page) => !page.isPicture && !isAlike(page)),
      count('pages that became blank', ({ isBlank }) => isBlank, 0),
      none('lost values of form fields', sealed.flatMap(({ lostValues }) => lostValues).length),
      none('crashes', refusals.filter((code) => code === 'CRASHED').length),
      row(
        'processor time per page, with the comparison',
        processorMs(process.pid) / 1_000 / Math.max(1, pages.length),
        's',
        { atMost: 1, note: 'including the conversion of Word files' },
      ),
    ],
    data: results,
  };
}
