/** The converter's routes. A job is one request; the response streams its progress and then its result. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AccountSheet, HistorySheet } from '@karaar/contracts/documents/print';
import {
  ComposeRequest,
  HistoryRequest,
  JOBS,
  PrepareRequest,
  PrintRequest,
  unpackInput,
} from '@karaar/converting/messages';
import {
  createReader,
  JOB_TYPE,
  messageOf,
  WireError,
  type Part,
  type Reader,
} from '@karaar/converting/wire';
import type { HttpApp } from '@karaar/http';
import { DEFAULT_LIMITS, RenderError, type Renderer } from '@karaar/rendering';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Interval of the heartbeat that a running job sends. */
const BEAT_MS = 5_000;
const LARGEST_FILE = 1024 * 1024 * 1024;
const LARGEST_IMAGE = 64 * 1024 * 1024;

export type JobsOptions = {
  renderer: Renderer;
  folder: string;
};

type Job<T> = {
  content: T;
  sizes: readonly number[];
  reader: Reader;
  /** Temporary; removed when the job ends. */
  dir: string;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  report: (progress: unknown) => void;
};
type Result = { done: object; parts: readonly Part[] };

export function jobRoutes(app: HttpApp, { renderer, folder }: JobsOptions): void {
  app.addContentTypeParser(JOB_TYPE, (_request, payload, done) => done(null, payload));
  const route = <S extends TSchema>(
    path: string,
    schema: S,
    work: (job: Job<Static<S>>) => Promise<Result>,
  ): void => {
    app.post(path, (request, reply) => serve(request, reply, { folder, schema, work }));
  };

  route(JOBS.prepareUpload, PrepareRequest, async ({ content, sizes, reader, dir, signal, report }) => {
    const { name, kind, maxMs } = content;
    const path = join(dir, 'upload');
    await takeFile(reader, { size: only(sizes), most: DEFAULT_LIMITS.fileBytes, path, name });
    const { pdf, thumbnail, ...done } = await renderer.prepareUpload(
      { name, kind, path },
      {
        signal,
        onPages: (ready, total) => report([ready, total]),
        ...(maxMs === undefined ? {} : { maxMs }),
      },
    );
    return { done, parts: [pdf, thumbnail] };
  });

  route(JOBS.composeFinalPdf, ComposeRequest, async ({ content, sizes, reader, dir, signal, report }) => {
    const { files, parties } = content;
    if (sizes.length !== files.length + 2 * parties.length)
      throw new WireError('The number of parts does not match the files and images');
    const paths = files.map((_, index) => join(dir, `file-${index}`));
    for (const [index, { name }] of files.entries())
      await takeFile(reader, {
        size: sizes[index] ?? 0,
        most: LARGEST_FILE,
        path: paths[index] ?? '',
        name,
      });
    const images: Buffer[] = [];
    for (const size of sizes.slice(files.length)) {
      if (size > LARGEST_IMAGE) throw new RenderError('too_large', 'A photo or a signature is too large.');
      images.push(await reader.bytes(size));
    }
    const { pdf, pages } = await renderer.composeFinalPdf(unpackInput(content, paths, images), {
      signal,
      onProgress: (step, ready, total) => report({ step, done: ready, total }),
    });
    return { done: pages, parts: [pdf] };
  });

  route(JOBS.printAccount, PrintRequest, async ({ content, signal }) => ({
    done: {},
    parts: [await renderer.printAccount(content as AccountSheet, { signal })],
  }));

  route(JOBS.printHistory, HistoryRequest, async ({ content, signal }) => ({
    done: {},
    parts: [await renderer.printHistory(content as HistorySheet, { signal })],
  }));
}

const only = ([size, ...more]: readonly number[]): number => {
  if (size === undefined || more.length > 0) throw new WireError('The job must have exactly one file');
  return size;
};

async function takeFile(
  reader: Reader,
  { size, most, path, name }: { size: number; most: number; path: string; name: string },
): Promise<void> {
  if (size > most) throw new RenderError('too_large', `"${name}" is too large.`, { file: name });
  await reader.toFile(size, path);
}

/** Responds at once and streams progress, heartbeats and the result on the same connection. */
function serve<S extends TSchema>(
  request: FastifyRequest,
  reply: FastifyReply,
  how: { folder: string; schema: S; work: (job: Job<Static<S>>) => Promise<Result> },
): FastifyReply {
  const answers = new PassThrough();
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort(new RenderError('aborted', 'The caller is gone.')));
  // If the caller disconnects, the abort signal ends the job.
  answers.on('error', () => undefined);
  const say = (content: object): void => void answers.write(`${JSON.stringify({ content, sizes: [] })}\n`);
  const beat = setInterval(() => say({ beat: true }), BEAT_MS);
  say({ beat: true });
  void runJob(request, { ...how, signal: disconnected.signal, say })
    .then(
      ({ done, parts }) => messageOf({ done }, parts),
      (error: unknown) => messageOf({ error: faultOf(error, request) }),
    )
    .then((message) => {
      clearInterval(beat);
      return pipeline(Readable.from(message), answers);
    })
    .catch((err: unknown) => request.log.info({ err }, 'an answer was not taken'));
  return reply.type(JOB_TYPE).send(answers);
}

async function runJob<S extends TSchema>(
  request: FastifyRequest,
  how: {
    folder: string;
    schema: S;
    work: (job: Job<Static<S>>) => Promise<Result>;
    signal: AbortSignal;
    say: (content: object) => void;
  },
): Promise<Result> {
  const reader = createReader(request.body as AsyncIterable<Buffer>);
  const head = await reader.head();
  if (head === undefined || !Value.Check(how.schema, head.content))
    throw new WireError('The request does not match the schema of the job');
  const dir = await mkdtemp(join(how.folder, 'in-'));
  try {
    const report = (progress: unknown): void => how.say({ progress });
    const { sizes, content } = head;
    return await how.work({ content, sizes, reader, dir, signal: how.signal, report });
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** The error that the caller gets. Only a RenderError is passed on; other errors go to the log. */
function faultOf(error: unknown, { log }: FastifyRequest): { code: string; message: string; file?: string } {
  if (!(error instanceof RenderError)) {
    log.warn({ err: error }, 'a job could not be read');
    return { code: 'engine_failed', message: 'The job could not be read.' };
  }
  if (error.retryable && error.code !== 'aborted') log.warn({ err: error }, 'a job failed');
  return {
    code: error.code,
    message: error.message.slice(0, 2_000),
    ...(error.file === undefined ? {} : { file: error.file }),
  };
}
