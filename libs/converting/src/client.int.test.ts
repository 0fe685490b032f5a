/** The client with a converter that is away, breaks off or is compromised: its responses are not trusted. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RenderError } from '@karaar/rendering';
import { freePort } from '@karaar/testing/processes/ports';
import { createConverter } from './client.ts';
import { JOB_TYPE, messageOf } from './wire.ts';

let server: Server | undefined;

afterEach(async () => {
  const last = server;
  server = undefined;
  last?.closeAllConnections();
  await new Promise<void>((resolve) => (last ? last.close(() => resolve()) : resolve()));
});

async function listen(answer: RequestListener, port = 0): Promise<string> {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
}

/** A converter that accepts the job and then sends these bytes. */
const saying =
  (...pieces: readonly (string | Uint8Array)[]): RequestListener =>
  (req, res) => {
    req.resume().once('end', () => {
      res.writeHead(200, { 'content-type': JOB_TYPE });
      for (const piece of pieces) res.write(piece);
      res.end();
    });
  };

async function message(content: unknown, parts: readonly Uint8Array[] = []): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of messageOf(content, parts)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const bytes = Buffer.from('upload');
const result = {
  pages: 1,
  pictures: [{ page: 1, why: 'missing' }],
  texts: ['a', null],
  leftOut: ['scripts'],
  redrawn: [],
};
const prepare = (
  url: string,
  options: Parameters<ReturnType<typeof createConverter>['prepareUpload']>[1] = {},
) => createConverter({ url, awayMs: 0 }).prepareUpload({ name: 'a.pdf', kind: 'pdf', bytes }, options);

it('returns the result, and reports progress', async () => {
  const url = await listen(
    saying(
      await message({ beat: true }),
      await message({ progress: [0, 2] }),
      await message({ done: result }, [Buffer.from('pdf'), Buffer.from('thumbnail')]),
    ),
  );
  const reports: number[][] = [];
  const made = await prepare(url, { onPages: (...pages) => reports.push(pages) });
  expect(reports).toEqual([[0, 2]]);
  expect(made).toMatchObject(result);
  expect([Buffer.from(made.pdf).toString(), Buffer.from(made.thumbnail).toString()]).toEqual([
    'pdf',
    'thumbnail',
  ]);
});

it('throws the error of the remote renderer', async () => {
  const error = { code: 'pdf_encrypted', message: '"a.pdf" is locked.', file: 'a.pdf' };
  const url = await listen(saying(await message({ error })));
  await expect(prepare(url)).rejects.toMatchObject({ ...error, retryable: false });
});

const done = await message({ done: result }, [Buffer.from('pdf'), Buffer.from('thumbnail')]);
it.each([
  ['nothing', []],
  ['what is not JSON', ['<html>\n']],
  ['JSON that is not a message', ['{"a":1}\n']],
  ['a code that no error has', [await message({ error: { code: 'gone', message: 'x' } })]],
  ['a result without its files', [await message({ done: result })]],
  ['a result with a file too many', [await message({ done: result }, [bytes, bytes, bytes])]],
  ['pages of no number', [await message({ done: { ...result, pages: -1 } }, [bytes, bytes])]],
  [
    'a reason that no picture has',
    [await message({ done: { ...result, pictures: [{ page: 1, why: '<b>' }] } }, [bytes, bytes])],
  ],
  ['a part larger than any', [`${JSON.stringify({ content: { done: result }, sizes: [2 ** 40, 1] })}\n`]],
  ['a part of no size', [`${JSON.stringify({ content: { done: result }, sizes: [-1, 1] })}\n`]],
  ['a result that breaks off', [done.subarray(0, done.length - 1)]],
])('is retryable: %s', async (_, pieces) => {
  const url = await listen(saying(...pieces));
  await expect(prepare(url)).rejects.toMatchObject({ code: 'busy', retryable: true });
});

it('is retryable: a response of another type', async () => {
  const url = await listen((req, res) => void req.resume().once('end', () => res.writeHead(500).end('no')));
  await expect(prepare(url)).rejects.toMatchObject({ code: 'busy' });
});

it('waits for a restarting converter, and starts the job once', async () => {
  const port = await freePort();
  let jobs = 0;
  const made = createConverter({ url: `http://127.0.0.1:${port}`, awayMs: 20_000 }).prepareUpload({
    name: 'a.pdf',
    kind: 'pdf',
    bytes,
  });
  setTimeout(() => {
    void listen((req, res) => {
      jobs += 1;
      // The first response comes from a converter that does not accept work yet.
      if (jobs === 1) return void req.resume().once('end', () => res.writeHead(503).end());
      saying(done)(req, res);
    }, port);
  }, 300);
  expect(await made).toMatchObject({ pages: 1 });
  expect(jobs).toBe(2);
});

it('waits no longer than its limit', async () => {
  await expect(prepare(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({ code: 'busy' });
});

it('stops on abort and on close, with the reason', async () => {
  const url = await listen((req) => void req.resume());
  const caller = new AbortController();
  const given = prepare(url, { signal: caller.signal }).catch((error: unknown) => error as RenderError);
  setTimeout(() => caller.abort(new Error('gone')), 50);
  expect(await given).toMatchObject({ code: 'aborted' });

  const converter = createConverter({ url });
  const job = converter
    .prepareUpload({ name: 'a.pdf', kind: 'pdf', bytes })
    .catch((error: unknown) => error as RenderError);
  setTimeout(() => void converter.close(), 50);
  expect(await job).toMatchObject({ code: 'aborted' });
});
