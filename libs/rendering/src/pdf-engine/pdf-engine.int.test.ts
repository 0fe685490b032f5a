import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createPdfEngine, type PdfEngine } from './pdf-engine.ts';
import type { PdfRequest } from './pdf-messages.ts';
import { textPdf } from '@karaar/testing/made-up/files';

jest.setTimeout(60_000);

const signal = new AbortController().signal;
let dir: string;
let engine: PdfEngine;
let request: PdfRequest;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-engine-'));
  const path = join(dir, 'a.pdf');
  await writeFile(path, await textPdf('One', 'Two'));
  request = { op: 'inspect', name: 'a.pdf', path, maxPages: 10 };
});

afterEach(async () => {
  await engine.close();
  expect(await processes()).toEqual([]);
});

afterAll(() => rm(dir, { recursive: true }));

async function processes(): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const mine = status.includes(`\nPPid:\t${process.pid}\n`) && !status.includes('(zombie)');
    if (mine && command.includes('pdf-process')) found.push(Number(pid));
  }
  return found;
}

describe('the PDF processes', () => {
  it('are at most two, and stay warm', async () => {
    engine = createPdfEngine(DEFAULT_LIMITS);
    const answers = await Promise.all(Array.from({ length: 6 }, () => engine.request(request, { signal })));
    expect(answers).toEqual(Array.from({ length: 6 }, () => [2]));
    expect((await processes()).length).toBeLessThanOrEqual(2);
    const before = await processes();
    await engine.request(request, { signal });
    expect(await processes()).toEqual(before);
  });

  it('are killed at their deadline', async () => {
    engine = createPdfEngine({ ...DEFAULT_LIMITS, pdfMs: 20 });
    await expect(engine.request(request, { signal })).rejects.toMatchObject({ code: 'timeout' });
    expect(await processes()).toEqual([]);
  });

  it('are replaced after a number of requests', async () => {
    engine = createPdfEngine({ ...DEFAULT_LIMITS, pdfJobs: 1 });
    await engine.request(request, { signal });
    expect(await processes()).toEqual([]);
    expect(await engine.request(request, { signal })).toEqual([2]);
  });

  it('are ended between two files, if a request made them large', async () => {
    engine = createPdfEngine({ ...DEFAULT_LIMITS, pdfIdleMemory: 1 });
    await engine.request(request, { signal });
    expect(await processes()).toHaveLength(1);
    await engine.shrink();
    expect(await processes()).toEqual([]);
    expect(await engine.request(request, { signal })).toEqual([2]);
  });

  it('that die during a request cause a retryable error, and the next request gets a new process', async () => {
    engine = createPdfEngine(DEFAULT_LIMITS);
    await engine.request(request, { signal });
    const [pid] = await processes();
    const work = engine.request(request, { signal });
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    const outcome = await work.catch((error: { code: string; retryable: boolean }) => error);
    if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ code: 'engine_failed', retryable: true });
    expect(await engine.request(request, { signal })).toEqual([2]);
  });

  it('that died while idle are replaced without an error', async () => {
    engine = createPdfEngine(DEFAULT_LIMITS);
    await engine.request(request, { signal });
    const [pid = 0] = await processes();
    process.kill(pid, 'SIGKILL');
    // The engine has not noticed the end yet, so it sends the request to the dead process.
    expect(await engine.request(request, { signal })).toEqual([2]);
  });

  it('accept no request after close', async () => {
    engine = createPdfEngine(DEFAULT_LIMITS);
    await engine.close();
    await expect(engine.request(request, { signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});
