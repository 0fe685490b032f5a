/** What became of one file: refused with a reason, or sealed, and how its sealed pages look against the upload. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DEFAULT_LIMITS, type RawFileKind, type Renderer, RenderError } from '@karaar/rendering';
import { compareRange, type PageComparison, type PdfEngine, readWhole } from '@karaar/rendering/measure';
import type { Sealer } from '@karaar/sealing';

const run = promisify(execFile);
const { signal } = new AbortController();

export type Input = { name: string; kind: RawFileKind; path: string };
export type PageResult = { page: number; isPicture: boolean } & PageComparison;
export type Outcome =
  | { refused: string; reason: string; ms: number }
  | { pages: PageResult[]; lostValues: string[]; ms: number; bytes: number };

export type Tools = { renderer: Renderer; pdf: PdfEngine; sealer: Sealer; folder: string };

/** Takes, assembles and seals a file as the service does; judges what was sealed. Throws what is not the file's fault. */
export async function judge(input: Input, tools: Tools): Promise<Outcome> {
  const dir = await mkdtemp(join(tools.folder, 'file-'));
  const begun = performance.now();
  try {
    const made = await tools.renderer.prepareUpload(input);
    const ms = performance.now() - begun;
    const [taken, assembled, sealed] = ['taken.pdf', 'assembled.pdf', 'sealed.pdf'].map((name) =>
      join(dir, name),
    );
    await writeFile(taken ?? '', made.pdf);
    const { longestSide } = await tools.pdf.assemble(
      {
        op: 'assemble',
        parts: [{ kind: 'pdf', name: input.name, path: taken ?? '' }],
        metadata: { title: input.name, subject: 'Bench', createdAt: new Date().toISOString() },
        maxPages: DEFAULT_LIMITS.pages,
        out: assembled ?? '',
      },
      { signal },
    );
    const { pdf: bytes } = await tools.sealer.seal(await readWhole(assembled ?? ''));
    await writeFile(sealed ?? '', bytes);
    // What a Word file or an image should look like is what its sender was shown.
    const sources = input.kind === 'pdf' ? await readable(input.path, dir) : [taken ?? ''];
    const range = { from: 0, to: made.pages - 1 };
    const compared = { name: input.name, sources, copy: sealed ?? '', longestSide, anew: made.anew };
    const limits = { ...DEFAULT_LIMITS, pdfMs: 600_000, popplerMs: 600_000, pdfiumMs: 600_000 };
    const comparisons = await compareRange(compared, range, {
      dir,
      pdf: tools.pdf,
      limits,
      pdftoppmPath: 'pdftoppm',
      signal,
    });
    const pictures = new Set(made.pictures.map(({ page }) => page));
    const pages = comparisons.map((comparison, i) => ({
      page: i + 1,
      isPicture: pictures.has(i + 1),
      ...comparison,
    }));
    const lostValues = input.kind === 'pdf' ? await valuesLost(sources, sealed ?? '', pictures) : [];
    return { pages, lostValues, ms, bytes: made.pdf.length };
  } catch (error) {
    if (!(error instanceof RenderError) || error.retryable) throw error;
    return { refused: error.code, reason: error.message, ms: performance.now() - begun };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The upload, and the same as qpdf repairs it. */
async function readable(path: string, dir: string): Promise<string[]> {
  const repaired = join(dir, 'repaired.pdf');
  await run('qpdf', ['--decrypt', path, repaired]).catch(() => copyFile(path, repaired)); // its warnings end it with 3
  await mkdir(dir, { recursive: true });
  return [path, repaired];
}

type Field = {
  value: unknown;
  istext: boolean;
  ischoice: boolean;
  pageposfrom1: number;
  annotation: { annotationflags: number };
};

/** Values of fields that a reader finds in the upload and not in what was sealed; pages kept as pictures have no text. */
async function valuesLost(
  sources: readonly string[],
  sealed: string,
  pictures: ReadonlySet<number>,
): Promise<string[]> {
  const repaired = sources.at(-1) ?? '';
  const { stdout } = await run('qpdf', ['--json', '--json-key=acroform', repaired], {
    maxBuffer: 1 << 28,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  if (stdout === '') return [];
  const fields = (JSON.parse(stdout) as { acroform?: { fields?: Field[] } }).acroform?.fields ?? [];
  const lost: string[] = [];
  for (const { value, istext, ischoice, pageposfrom1: page, annotation } of fields) {
    if (!(istext || ischoice) || typeof value !== 'string' || !value.startsWith('u:') || pictures.has(page))
      continue;
    if ((annotation.annotationflags & 34) !== 0 || page < 1) continue;
    const wanted = plain(value.slice(2));
    if (wanted === '' || !(await textOf(repaired, page)).includes(wanted)) continue;
    if (!(await textOf(sealed, page)).includes(wanted)) lost.push(value.slice(2));
  }
  return lost;
}

const plain = (text: string): string => text.normalize('NFKC').replace(/\s/g, '');

async function textOf(path: string, page: number): Promise<string> {
  const range = ['-f', String(page), '-l', String(page)];
  const { stdout } = await run('pdftotext', [...range, '-raw', path, '-'], { maxBuffer: 1 << 26 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  return plain(stdout);
}
