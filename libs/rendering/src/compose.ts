import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import QRCode from 'qrcode';
import { createBrowserPool } from './browser-pool.ts';
import { contentsLines, hashedInputs, type Counts, type Own } from './contents.ts';
import { asRenderError, createGate, deadline, orAborted } from './deadline.ts';
import { RenderError } from './errors.ts';
import { photoUrl, signatureUrl } from './images.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { createOfficeConverter } from './office.ts';
import { createPdfEngine } from './pdf-engine.ts';
import { imagePart, prepareUpload, type UploadTools } from './prepare-upload.ts';
import { readWhole } from './read-whole.ts';
import type { FilePart } from './pdf-messages.ts';
import { accountPage } from './templates/account.ts';
import { agreementPage } from './templates/agreement.ts';
import { certificatePage } from './templates/certificate.ts';
import { estimatePages } from './templates/estimate.ts';
import { factsOf } from './templates/facts.ts';
import { type DrawnImages, signaturesPage } from './templates/signatures.ts';
import type {
  ComposedPdf,
  FileSource,
  FinalParty,
  FinalPdfInput,
  OnProgress,
  PageCounts,
  RawFile,
  Renderer,
  RendererOptions,
} from './types.ts';

export { RenderError, type RenderErrorCode } from './errors.ts';
export type * from './types.ts';

/** Page numbers need page counts, which need the pages: counts settle after one guess, rarely two. */
const MAX_PASSES = 4;

/** The longest wait for a stopped job's own programs to end. */
const WIND_DOWN_MS = 2000;

/**
 * The engine that composes final PDFs and inspects uploads. It owns one Chromium, the PDF processes and
 * LibreOffice runs; knows nothing of databases or messages. Close it when the service ends.
 */
export function createRenderer(options: RendererOptions): Renderer {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { workDir } = options;
  const browser = createBrowserPool({
    chromiumPath: options.chromiumPath,
    sandbox: options.chromiumSandbox ?? true,
    workDir,
    limits,
  });
  const office = createOfficeConverter({
    sofficePath: options.sofficePath,
    spare: options.officeSpare ?? false,
    workDir,
    limits,
  });
  const pdf = createPdfEngine(limits);
  const closing = new AbortController();
  const tools = (dir: string, signal: AbortSignal): UploadTools => ({
    dir,
    office,
    pdf,
    limits,
    qpdfPath: options.qpdfPath ?? 'qpdf',
    pdftoppmPath: options.pdftoppmPath ?? 'pdftoppm',
    signal,
  });

  /** Run a job in a folder of its own, with its deadline; nothing of it stays behind. */
  async function job<T>(
    what: string,
    outer: AbortSignal | undefined,
    work: (dir: string, signal: AbortSignal) => Promise<T>,
    maxMs = limits.jobMs,
  ): Promise<T> {
    const stopped = outer ? AbortSignal.any([outer, closing.signal]) : closing.signal;
    if (stopped.aborted) throw asRenderError(stopped.reason);
    await mkdir(workDir, { recursive: true });
    const dir = await mkdtemp(join(workDir, 'job-'));
    const limit = deadline(maxMs, what, stopped);
    const working = work(dir, limit.signal);
    try {
      return await orAborted(working, limit.signal);
    } catch (cause) {
      if (cause instanceof RenderError) throw cause;
      throw new RenderError('engine_failed', `${what} failed.`, { cause });
    } finally {
      limit.done();
      // What the job started ends by its signal; wait for that, so that nothing writes after the cleaning.
      await Promise.race([working.catch(() => undefined), sleep(WIND_DOWN_MS, undefined, { ref: false })]);
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  }

  const gate = createGate(limits.uploadJobs);
  let uploads = 0;

  /** A few uploads at a time, and not without bound behind them. */
  async function inTurn<T>(outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (uploads >= limits.uploadJobs + limits.uploadsWaiting) {
      throw new RenderError('busy', 'Too many files are being checked. Please try again in a minute.');
    }
    uploads += 1;
    try {
      return await gate(work, outer ?? closing.signal);
    } finally {
      uploads -= 1;
    }
  }

  async function compose(
    input: FinalPdfInput,
    { dir, signal, onProgress }: { dir: string; signal: AbortSignal; onProgress: OnProgress },
  ): Promise<ComposedPdf> {
    const [rawParts, images, qrSvg] = await Promise.all([
      inOrder(input.files, async (file, i) => {
        onProgress('files', i, input.files.length);
        return prepare(file, join(dir, `raw-${i}`), signal);
      }),
      Promise.all(input.parties.map(drawnImages)),
      QRCode.toString(input.verifyUrl, {
        type: 'svg',
        errorCorrectionLevel: 'M',
        margin: 0,
        color: { dark: '#1B1A17', light: '#0000' },
      }),
    ]);
    const files = await inOrder(rawParts, (part) => countPages(part, signal));
    const hashes = hashedInputs(input);
    const facts = factsOf(input);
    onProgress('pages');

    const print = async (pages: Counts): Promise<Record<Own, string>> => {
      const total = pages.agreement + sum(files) + pages.signatures + pages.certificate;
      const first = {
        agreement: 1,
        signatures: 1 + pages.agreement + sum(files),
        certificate: 1 + pages.agreement + sum(files) + pages.signatures,
      };
      const at = (own: Own) => ({ first: first[own], total });
      const contents = contentsLines(input, files, pages, first);
      const sheets: Record<Own, string> = {
        agreement: agreementPage(facts, input.document.pageDetails, {
          contents,
          numbering: at('agreement'),
        }),
        signatures: signaturesPage(facts, images, at('signatures')),
        certificate: certificatePage(facts, { qrSvg, hashes, numbering: at('certificate') }),
      };
      await Promise.all(
        OWN.map(async (own) =>
          writeFile(join(dir, `${own}.pdf`), await browser.print(sheets[own], { signal })),
        ),
      );
      return {
        agreement: join(dir, 'agreement.pdf'),
        signatures: join(dir, 'signatures.pdf'),
        certificate: join(dir, 'certificate.pdf'),
      };
    };

    const { paths, counts } = await settle(estimatePages(input), print, (path) =>
      countPages({ kind: 'pdf', name: 'page', path }, signal),
    );
    const total = counts.agreement + sum(files) + counts.signatures + counts.certificate;
    if (total > limits.pages)
      throw new RenderError('too_large', `The final PDF would have more than ${limits.pages} pages.`);
    const out = join(dir, 'final.pdf');
    onProgress('assembling');
    const own = (name: Own): FilePart => ({ kind: 'pdf', name, path: paths[name] });
    await pdf.request(
      {
        op: 'assemble',
        parts: [own('agreement'), ...rawParts, own('signatures'), own('certificate')],
        metadata: {
          title: input.document.name,
          subject: `Karaar agreement ${input.document.code}`,
          createdAt: input.composedAt,
        },
        maxPages: limits.pages,
        out,
      },
      { signal },
    );
    const pages: PageCounts = { ...counts, files, raw: sum(files), total };
    return { pdf: await readWhole(out), pages };
  }

  async function drawnImages({ name, photo, signature }: FinalParty): Promise<DrawnImages> {
    const [photoData, signatureData] = await Promise.all([
      photoUrl(`photo of ${name}`, photo, limits),
      signatureUrl(`signature of ${name}`, signature, limits),
    ]);
    return { photoUrl: photoData, signatureUrl: signatureData };
  }

  /** The pages of a raw file: those that were made when it was uploaded, or, of one uploaded before that, new ones. */
  async function prepare(file: RawFile, target: string, signal: AbortSignal): Promise<FilePart> {
    const { name, kind } = file;
    const { bytes, sha256 } = await readSource(
      file.pages ?? file,
      name,
      file.pages ? Infinity : limits.fileBytes,
    );
    if (sha256 !== (file.pages ?? file).sha256.toLowerCase()) {
      throw new RenderError('hash_mismatch', `"${name}" is not the file that was approved.`, { file: name });
    }
    await mkdir(target);
    const path = join(target, 'pages.pdf');
    if (file.pages) await writeFile(path, bytes);
    else {
      const upload = join(target, 'file');
      await writeFile(upload, bytes);
      if (kind === 'image') return imagePart(name, upload, { dir: target, limits });
      await writeFile(path, (await prepareUpload({ name, kind, path: upload }, tools(target, signal))).pdf);
    }
    return { kind: 'pdf', name, path };
  }

  async function countPages(part: FilePart, signal: AbortSignal): Promise<number> {
    if (part.kind === 'image') return 1;
    const request = { op: 'inspect', name: part.name, path: part.path, maxPages: limits.pages } as const;
    const [pages = 0] = await pdf.request(request, { signal });
    return pages;
  }

  return {
    composeFinalPdf: (input, { signal, onProgress = () => undefined } = {}) =>
      job('Composing the final PDF', signal, (dir, inner) =>
        compose(input, { dir, signal: inner, onProgress }),
      ),
    prepareUpload: (file, { signal, onPages, maxMs } = {}) =>
      inTurn(signal, () =>
        job(
          `Reading "${file.name}"`,
          signal,
          (dir, inner) => prepareUpload(file, tools(dir, inner), onPages),
          maxMs,
        ),
      ),
    printAccount: (account, { signal } = {}) =>
      job('Printing the account', signal, (_dir, inner) =>
        browser.print(accountPage(account), { signal: inner }),
      ),
    async close() {
      closing.abort(new RenderError('aborted', 'The renderer was closed.'));
      await Promise.all([browser.close(), pdf.close(), office.close()]);
    },
  };
}

const OWN: readonly Own[] = ['agreement', 'signatures', 'certificate'];

/** Print with guessed page counts, and again with the real ones until they agree. */
async function settle(
  guess: Counts,
  print: (counts: Counts) => Promise<Record<Own, string>>,
  count: (path: string) => Promise<number>,
): Promise<{ paths: Record<Own, string>; counts: Counts }> {
  let counts = guess;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const paths = await print(counts);
    const [agreement, signatures, certificate] = await Promise.all([
      count(paths.agreement),
      count(paths.signatures),
      count(paths.certificate),
    ]);
    const real: Counts = { agreement, signatures, certificate };
    if (OWN.every((own) => real[own] === counts[own])) return { paths, counts };
    counts = real;
  }
  throw new RenderError('engine_failed', 'The page numbers of the final PDF do not settle.');
}

async function readSource(
  file: FileSource,
  name: string,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; sha256: string }> {
  const size = file.path === undefined ? file.bytes.length : (await stat(file.path)).size;
  if (size > maxBytes) throw new RenderError('too_large', `"${name}" is too large.`, { file: name });
  const bytes = file.path === undefined ? file.bytes : await readWhole(file.path);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Like Promise.all over a map, one at a time: the work behind it is bounded anyway, and errors keep their order. */
async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await work(item, index));
  return results;
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
