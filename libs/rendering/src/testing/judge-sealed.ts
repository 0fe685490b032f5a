/**
 * Reports whether a file is refused, with the reason, or sealed, and compares its sealed pages with the
 * upload.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSealer } from '@karaar/sealing';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { RenderError } from '../errors.ts';
import { createRenderer, type RawFileKind } from '../final-pdf/compose.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createPdfEngine } from '../pdf-engine/pdf-engine.ts';
import type { PageComparison } from '../pdf-engine/pdf-messages.ts';
import { readWhole } from '../processes/read-whole.ts';
import { compareRange } from '../uploads/prepare-upload.ts';

const run = promisify(execFile);
const { signal } = new AbortController();
/** Long limits, because judging is slow. */
const LIMITS = { ...DEFAULT_LIMITS, pdfMs: 600_000, popplerMs: 600_000, pdfiumMs: 600_000 };

export type Input = { name: string; kind: RawFileKind; path: string };
export type PageResult = { page: number; isPicture: boolean } & PageComparison;
export type Outcome =
  { refused: string; reason: string } | { pages: PageResult[]; lostValues: string[]; ms: number };

export type Judge = {
  /**
   * Prepares, assembles and seals a file as the service does, and compares it.
   * @throws errors that the file did not cause
   */
  judge(input: Input): Promise<Outcome>;
  close(): Promise<void>;
};

/** @param folder for its key and files; the caller removes it */
export async function openJudge(folder: string): Promise<Judge> {
  const workDir = join(folder, 'work');
  const renderer = createRenderer({ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir });
  const pdf = createPdfEngine(DEFAULT_LIMITS);
  const sealer = await createSealer({ key: { kind: 'dev', stateDir: folder } });

  async function sealed({ name, kind, path }: Input, dir: string): Promise<Outcome> {
    const file = (of: string) => join(dir, `${of}.pdf`);
    const begun = performance.now();
    const made = await renderer.prepareUpload({ name, kind, path });
    const ms = performance.now() - begun;
    await writeFile(file('taken'), made.pdf);
    const { longestSide } = await pdf.assemble(
      {
        op: 'assemble',
        parts: [{ kind: 'pdf', name, path: file('taken') }],
        metadata: { title: name, subject: 'Test', createdAt: new Date().toISOString() },
        maxPages: DEFAULT_LIMITS.pages,
        out: file('assembled'),
      },
      { signal },
    );
    const copy = file('sealed');
    await writeFile(copy, (await sealer.seal(await readWhole(file('assembled')))).pdf);
    if (kind === 'pdf') {
      // qpdf exits with 3 after warnings.
      const repair = run('qpdf', ['--decrypt', path, file('repaired')]);
      await repair.catch(() => copyFile(path, file('repaired')));
    }
    // A Word file or an image must look like the pages shown to its sender.
    const sources = kind === 'pdf' ? [path, file('repaired')] : [file('taken')];
    const comparisons = await compareRange(
      { name, sources, copy, longestSide, redrawn: made.redrawn },
      { from: 0, to: made.pages - 1 },
      { dir, pdf, limits: LIMITS, pdftoppmPath: 'pdftoppm', signal },
    );
    const pictures = new Set(made.pictures.map(({ page }) => page));
    return {
      pages: comparisons.map((comparison, i) => ({
        page: i + 1,
        isPicture: pictures.has(i + 1),
        ...comparison,
      })),
      lostValues: kind === 'pdf' ? await valuesLost(file('repaired'), copy, pictures) : [],
      ms,
    };
  }

  return {
    judge: async (input) => {
      const dir = await mkdtemp(join(folder, 'file-'));
      try {
        return await sealed(input, dir);
      } catch (error) {
        if (!(error instanceof RenderError) || error.retryable) throw error;
        return { refused: error.code, reason: error.message };
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
    close: async () => void (await Promise.all([renderer.close(), pdf.close()])),
  };
}

type Field = {
  value: unknown;
  istext: boolean;
  ischoice: boolean;
  pageposfrom1: number;
  annotation: { annotationflags: number };
};

const printed = async (program: string, args: readonly string[]): Promise<string> =>
  (
    await run(program, args, { maxBuffer: 1 << 28 }).catch((error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }))
  ).stdout;

/**
 * Returns the field values that a reader finds in the upload and not in the sealed file; pages sealed as
 * pictures have no text.
 */
async function valuesLost(upload: string, sealed: string, pictures: ReadonlySet<number>): Promise<string[]> {
  const json = await printed('qpdf', ['--json', '--json-key=acroform', upload]);
  const { acroform } = (json === '' ? {} : JSON.parse(json)) as { acroform?: { fields?: Field[] } };
  const lost: string[] = [];
  for (const { value, istext, ischoice, pageposfrom1: page, annotation } of acroform?.fields ?? []) {
    if (!(istext || ischoice) || typeof value !== 'string' || !value.startsWith('u:') || pictures.has(page))
      continue;
    // Hidden or not displayed.
    if ((annotation.annotationflags & 34) !== 0 || page < 1) continue;
    const wanted = plain(value.slice(2));
    const shows = async (path: string) => (await textOf(path, page)).includes(wanted);
    if (wanted !== '' && (await shows(upload)) && !(await shows(sealed))) lost.push(value.slice(2));
  }
  return lost;
}

const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');

const textOf = async (path: string, page: number): Promise<string> =>
  plain(await printed('pdftotext', ['-f', String(page), '-l', String(page), '-raw', path, '-']));
