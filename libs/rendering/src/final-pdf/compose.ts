import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBrowserPool } from '../processes/browser-pool.ts';
import { asRenderError, createConcurrencyLimit, deadline, orAborted } from '../processes/deadline.ts';
import { RenderError } from '../errors.ts';
import { composeFinal } from './final-pdf.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createOfficeConverter } from '../office/office.ts';
import { createPdfEngine } from '../pdf-engine/pdf-engine.ts';
import { prepareUpload, type UploadTools } from '../uploads/prepare-upload.ts';
import { accountPage } from '../templates/account.ts';
import { historySheetPage } from '../templates/history.ts';
import type { Renderer, RendererOptions, RenderLimits } from '../types.ts';

export { RenderError, type RenderErrorCode } from '../errors.ts';
export type * from '../types.ts';

/** The longest wait for the programs of a stopped job to end. */
const WIND_DOWN_MS = 2000;

/**
 * Returns the engine that composes final PDFs and inspects uploads. It owns Chromium, the PDF processes and
 * the LibreOffice runs. Close it when the service ends.
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

  const job = createJobs({ workDir, maxMs: limits.jobMs, closing: closing.signal });
  const inTurn = createUploadQueue(limits, closing.signal);

  return {
    composeFinalPdf: (input, { signal, onProgress = () => undefined } = {}) =>
      job('Composing the final PDF', signal, (dir, inner) =>
        composeFinal(input, { ...tools(dir, inner), browser }, onProgress),
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
    printHistory: (history, { signal } = {}) =>
      job('Printing the history', signal, (_dir, inner) =>
        browser.print(historySheetPage(history), { signal: inner }),
      ),
    async close() {
      closing.abort(new RenderError('aborted', 'The renderer was closed.'));
      await Promise.all([browser.close(), pdf.close(), office.close()]);
    },
  };
}

/**
 * Returns a function that runs a job with a deadline in a temporary folder, and removes the folder
 * afterwards.
 */
function createJobs(bounds: { workDir: string; maxMs: number; closing: AbortSignal }) {
  const { workDir, closing } = bounds;
  return async function job<T>(
    operation: string,
    outer: AbortSignal | undefined,
    work: (dir: string, signal: AbortSignal) => Promise<T>,
    maxMs = bounds.maxMs,
  ): Promise<T> {
    const stopped = outer ? AbortSignal.any([outer, closing]) : closing;
    if (stopped.aborted) throw asRenderError(stopped.reason);
    await mkdir(workDir, { recursive: true });
    const dir = await mkdtemp(join(workDir, 'job-'));
    const limit = deadline(maxMs, operation, stopped);
    const working = work(dir, limit.signal);
    try {
      return await orAborted(working, limit.signal);
    } catch (cause) {
      if (cause instanceof RenderError) throw cause;
      throw new RenderError('engine_failed', `${operation} failed.`, { cause });
    } finally {
      limit.done();
      // The signal stops the programs of the job; wait for their end, so that none writes after the cleanup.
      await Promise.race([working.catch(() => undefined), sleep(WIND_DOWN_MS, undefined, { ref: false })]);
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    }
  };
}

/** Returns a function that runs a few uploads at a time and queues a limited number of others. */
function createUploadQueue(limits: RenderLimits, closing: AbortSignal) {
  const limited = createConcurrencyLimit(limits.uploadJobs);
  let uploads = 0;
  return async <T>(outer: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    if (uploads >= limits.uploadJobs + limits.uploadsWaiting) {
      throw new RenderError('busy', 'Too many files are being checked. Please try again in a minute.');
    }
    uploads += 1;
    try {
      return await limited(work, outer ?? closing);
    } finally {
      uploads -= 1;
    }
  };
}
