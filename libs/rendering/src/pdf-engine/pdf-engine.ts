import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asRenderError, createConcurrencyLimit, deadline } from '../processes/deadline.ts';
import { RenderError } from '../errors.ts';
import type { Assembled } from '../pdf/assemble.ts';
import type { PageComparison, PdfReply, PdfRequest } from './pdf-messages.ts';
import type { RenderLimits } from '../types.ts';

/** `ms` replaces `limits.pdfMs` for this request; waiting in the queue does not count. */
type RequestOptions = { signal: AbortSignal; ms?: number };

export interface PdfEngine {
  /**
   * Sends one request to a PDF process, and returns the page counts.
   * @throws RenderError
   */
  request(request: PdfRequest, options: RequestOptions): Promise<number[]>;
  /**
   * Assembles the parts into one file, and returns its data.
   * @throws RenderError
   */
  assemble(
    request: Extract<PdfRequest, { op: 'assemble' }>,
    options: { signal: AbortSignal },
  ): Promise<Omit<Assembled, 'pieces'>>;
  /**
   * Compares pages.
   * @throws RenderError
   */
  compare(
    request: Extract<PdfRequest, { op: 'compare' }>,
    options: RequestOptions,
  ): Promise<PageComparison[]>;
  /** Ends idle processes that earlier requests made large: their heaps would not shrink. */
  shrink(): Promise<void>;
  close(): Promise<void>;
}

type Answer = Exclude<PdfReply, { error: unknown }>;

interface Worker {
  child: ChildProcess;
  jobs: number;
}

class ProcessEnded extends RenderError {}

const PROCESSES = 2;
const WATCH_MS = 100;

/** In this folder and with the same extension: .ts in the source, .js in a bundle (a second entry there). */
const ENTRY = fileURLToPath(new URL(`./pdf-process${extname(import.meta.url)}`, import.meta.url));

/**
 * Returns an engine that runs PDF work in at most two warm processes. A process above its deadline or memory
 * is killed; its request fails and the next one gets a new process.
 */
export function createPdfEngine(
  limits: Pick<RenderLimits, 'pdfMs' | 'pdfMemory' | 'pdfJobs' | 'pdfIdleMemory'>,
): PdfEngine {
  const limited = createConcurrencyLimit(PROCESSES);
  const idle: Worker[] = [];
  const all = new Set<ChildProcess>();
  let closed = false;

  function start(): Worker {
    const heap = Math.floor(limits.pdfMemory / (1024 * 1024));
    const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, ENTRY], {
      env: { PATH: process.env['PATH'] ?? '' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    all.add(child);
    child.once('exit', () => {
      all.delete(child);
      const at = idle.findIndex((worker) => worker.child === child);
      if (at >= 0) idle.splice(at, 1);
    });
    return { child, jobs: 0 };
  }

  async function run(request: PdfRequest, signal: AbortSignal): Promise<Answer> {
    if (closed) throw new RenderError('aborted', 'The PDF engine is closed.');
    const kept = idle.pop();
    try {
      return await runIn(kept ?? start(), request, signal);
    } catch (error) {
      // A kept process may have died before the request, without a notification so far.
      if (kept && error instanceof ProcessEnded) return await runIn(start(), request, signal);
      throw error;
    }
  }

  async function runIn(worker: Worker, request: PdfRequest, signal: AbortSignal): Promise<Answer> {
    worker.jobs += 1;
    let keep = false;
    try {
      const reply = await ask(worker.child, request, signal, limits.pdfMemory);
      keep = worker.jobs < limits.pdfJobs;
      if ('error' in reply)
        throw new RenderError(reply.error.code, reply.error.message, fileOption(reply.error.file));
      return reply;
    } finally {
      if (keep) idle.push(worker);
      else await killed(worker.child);
    }
  }

  const inTurn = (
    request: PdfRequest,
    { signal: outer, ms = limits.pdfMs }: RequestOptions,
  ): Promise<Answer> =>
    limited(async () => {
      const limit = deadline(ms, 'Reading the PDF', outer);
      try {
        return await run(request, limit.signal);
      } finally {
        limit.done();
      }
    }, outer);

  return {
    request: async (request, options) => (await inTurn(request, options)).pages,
    assemble: async (request, options) => {
      const reply = await inTurn(request, options);
      const { pages, longestSide = 0, redrawn = [], kept = [], foreign, leftOut = [] } = reply;
      return { pages, longestSide, redrawn, kept, foreign, leftOut };
    },
    compare: async (request, options) => (await inTurn(request, options)).comparisons ?? [],
    async shrink() {
      for (const worker of [...idle]) {
        const size = await residentSize(worker.child.pid);
        const at = idle.indexOf(worker);
        if (at < 0 || size <= limits.pdfIdleMemory) continue;
        idle.splice(at, 1);
        await killed(worker.child);
      }
    },
    async close() {
      closed = true;
      await Promise.all([...all].map(killed));
    },
  };
}

/** Kills a process and waits for its end, so that the number of processes stays within the limit. */
async function killed(child: ChildProcess): Promise<void> {
  // A process that could not be started sends no exit event.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  await gone;
}

/** Settles with the child's reply; rejects if it dies, exceeds its memory, or the signal fires. */
function ask(
  child: ChildProcess,
  request: PdfRequest,
  signal: AbortSignal,
  memory: number,
): Promise<PdfReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearInterval(watch);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onExit);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const onMessage = (reply: PdfReply): void => settle(() => resolve(reply));
    const onExit = (): void =>
      settle(() => reject(new ProcessEnded('engine_failed', 'The PDF process ended unexpectedly.')));
    const onAbort = (): void => settle(() => reject(asRenderError(signal.reason)));
    const watch = setInterval(() => {
      void residentSize(child.pid).then((size) => {
        if (size > memory) settle(() => reject(tooLarge(request)));
      });
    }, WATCH_MS);
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.on('error', onExit);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    child.send(request, (error) => {
      if (error) onExit();
    });
  });
}

function tooLarge(request: PdfRequest): RenderError {
  const file = fileOf(request);
  const subject = file === undefined ? 'The files need' : `"${file}" needs`;
  return new RenderError('too_large', `${subject} too much memory to be read.`, fileOption(file));
}

function fileOf(request: PdfRequest): string | undefined {
  if (request.op !== 'assemble') return request.name;
  return request.parts.length === 1 ? request.parts[0]?.name : undefined;
}

function fileOption(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file };
}

/**
 * Returns the resident bytes of a process; 0 if the system does not report them (not Linux, or it has ended).
 */
async function residentSize(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kib === undefined ? 0 : Number(kib) * 1024;
}
