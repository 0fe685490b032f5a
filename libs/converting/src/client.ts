/** A renderer whose work runs in the converter (services/converter), a separate process. */
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { neverLeft } from '@karaar/base/errors';
import { asRenderError, RenderError, type Renderer } from '@karaar/rendering';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ComposeAnswer, JOBS, packInput, PrepareAnswer, PrintAnswer } from './messages.ts';
import { createReader, JOB_TYPE, messageOf, type Part, type Reader } from './wire.ts';

export type ConverterOptions = {
  /** Base URL of the converter. */
  url: string;
  /**
   * The milliseconds that a job waits for a converter that is not listening, for example during a restart.
   */
  awayMs?: number;
};

/** A restart of the converter takes a few seconds. */
const AWAY_MS = 15_000;
const RETRY_MS = 250;
/** The converter sends a heartbeat every few seconds. */
const SILENT_MS = 30_000;
/** Larger than any final PDF: a compromised converter must not fill our memory. */
const LARGEST_PART = 1024 * 1024 * 1024;

/** The job has not started. */
class Away extends Error {}

/**
 * Returns a renderer that uses the converter at a URL. It throws the remote renderer's errors, and
 * RenderError `busy` if the converter is away, stops midway or sends an invalid response: the same job may
 * succeed later.
 */
export function createConverter({ url, awayMs = AWAY_MS }: ConverterOptions): Renderer {
  const closing = new AbortController();

  /** Runs one job; `onAnswer` receives each response, and returns a value for the last. */
  async function run<S extends TSchema, T>(
    job: {
      path: string;
      content: unknown;
      parts?: readonly Part[];
      signal: AbortSignal | undefined;
      schema: S;
    },
    onAnswer: (answer: Static<S>, parts: () => Promise<Buffer[]>) => Promise<T | undefined>,
  ): Promise<T> {
    const signal = job.signal ? AbortSignal.any([job.signal, closing.signal]) : closing.signal;
    try {
      const answer = await whenThere(() => open(new URL(job.path, url), job, signal), signal, awayMs);
      return await readAnswers(answer, job.schema, onAnswer);
    } catch (cause) {
      if (signal.aborted) throw asRenderError(signal.reason);
      if (cause instanceof RenderError) throw cause;
      throw busy(cause);
    }
  }

  const print =
    (path: string) =>
    (content: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<Uint8Array> =>
      run({ path, content, signal, schema: PrintAnswer }, async (answer, parts) => {
        if (!('done' in answer)) return undefined;
        const [pdf] = await exactly(1, parts);
        return pdf;
      });

  return {
    prepareUpload({ name, kind, ...source }, { signal, onPages, maxMs } = {}) {
      const part = source.path === undefined ? source.bytes : { path: source.path };
      const content = { name, kind, ...(maxMs === undefined ? {} : { maxMs }) };
      const job = { path: JOBS.prepareUpload, content, parts: [part], signal, schema: PrepareAnswer };
      return run(job, async (answer, parts) => {
        if ('progress' in answer) onPages?.(...answer.progress);
        if (!('done' in answer)) return undefined;
        const [pdf, thumbnail] = await exactly(2, parts);
        return { ...answer.done, pdf, thumbnail };
      });
    },
    composeFinalPdf(input, { signal, onProgress } = {}) {
      const job = { path: JOBS.composeFinalPdf, ...packInput(input), signal, schema: ComposeAnswer };
      return run(job, async (answer, parts) => {
        if ('progress' in answer)
          onProgress?.(answer.progress.step, answer.progress.done, answer.progress.total);
        if (!('done' in answer)) return undefined;
        const [pdf] = await exactly(1, parts);
        return { pdf, pages: answer.done };
      });
    },
    printAccount: print(JOBS.printAccount),
    printHistory: print(JOBS.printHistory),
    async close() {
      closing.abort(new RenderError('aborted', 'The service is stopping.'));
    },
  };
}

/**
 * Returns the parts if their number is right.
 * @throws RenderError otherwise
 */
async function exactly(count: 1 | 2, parts: () => Promise<Buffer[]>): Promise<[Buffer, Buffer]> {
  const [first, second = Buffer.alloc(0), ...more] = await parts();
  if (first === undefined || more.length > 0 || (count === 2) !== second.length > 0)
    throw new Error(`The converter answered without its ${count} parts`);
  return [first, second];
}

async function readAnswers<S extends TSchema, T>(
  answer: IncomingMessage,
  schema: S,
  onAnswer: (answer: Static<S>, parts: () => Promise<Buffer[]>) => Promise<T | undefined>,
): Promise<T> {
  const reader = createReader(answer as AsyncIterable<Buffer>);
  try {
    for (let head = await reader.head(); head !== undefined; head = await reader.head()) {
      const { content, sizes } = head;
      if (!Value.Check(schema, content)) throw new Error('The converter answered what is not an answer');
      failWith(content);
      const result = await onAnswer(content, () => partsOf(reader, sizes));
      if (result !== undefined) return result;
    }
    throw new Error('The converter ended before its result');
  } finally {
    answer.destroy();
  }
}

async function partsOf(reader: Reader, sizes: readonly number[]): Promise<Buffer[]> {
  if (sizes.some((size) => size > LARGEST_PART)) throw new Error('The converter answered too much');
  const parts: Buffer[] = [];
  for (const size of sizes) parts.push(await reader.bytes(size));
  return parts;
}

function failWith(content: unknown): void {
  const { error } = content as { error?: { code: RenderError['code']; message: string; file?: string } };
  if (error)
    throw new RenderError(error.code, error.message, error.file === undefined ? {} : { file: error.file });
}

/** Retries while the converter is not listening. */
async function whenThere<T>(attempt: () => Promise<T>, signal: AbortSignal, awayMs: number): Promise<T> {
  const end = Date.now() + awayMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Away) || Date.now() > end) throw error;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

/**
 * Sends a job; resolves with the response once its headers arrive. One connection each, so that jobs spread
 * over all converters.
 */
function open(
  url: URL,
  { content, parts = [] }: { content: unknown; parts?: readonly Part[] },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': JOB_TYPE };
    const sent = request(url, { method: 'POST', agent: false, headers, signal, timeout: SILENT_MS });
    sent.once('timeout', () => sent.destroy(new Error('The converter does not answer')));
    sent.once('error', (cause: NodeJS.ErrnoException) =>
      reject(neverLeft(cause) ? new Away('Nobody listens', { cause }) : cause),
    );
    sent.once('response', (answer) => {
      if (answer.statusCode === 200) return resolve(answer);
      answer.resume();
      const text = `The converter answered ${answer.statusCode}`;
      reject(answer.statusCode === 503 ? new Away(text) : new Error(text));
    });
    pipeline(Readable.from(messageOf(content, parts)), sent).catch((cause: unknown) => {
      // An unreadable file; the request itself reports a broken connection.
      if (!sent.destroyed) sent.destroy(asError(cause));
    });
  });
}

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

const busy = (cause: unknown): RenderError =>
  new RenderError('busy', 'Files cannot be read right now. Please try again in a minute.', { cause });
