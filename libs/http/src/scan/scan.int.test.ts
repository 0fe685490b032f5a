import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineRoute } from '@karaar/contracts/kit';
import { EICAR, startClamd, type ClamdManner, type TestClamd } from '@karaar/testing/providers/clamd';
import { Type } from 'typebox';
import { startApp, wire, type TestApp } from '../http-kit/testing/http.ts';
import { loadConfig } from '@karaar/base/config';
import { mountRoute, type SpooledFile } from '../http-kit/index.ts';
import { createLogger } from '@karaar/observability/logging';
import { registry } from '@karaar/observability/telemetry';
import { createFileScanner, scanEnv } from './index.ts';

const route = defineRoute({
  method: 'POST',
  path: '/files',
  access: 'public',
  summary: 'Takes files',
  multipart: {
    fields: Type.Object({}),
    files: { docs: { maxCount: 3, maxBytes: 4 * 1024 * 1024, accept: ['any'] } },
  },
  response: { 200: Type.Object({ taken: Type.Integer() }) },
});

const stops: (() => Promise<unknown>)[] = [];
const taken: SpooledFile[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  taken.length = 0;
});

const configOf = (CLAMD_ADDRESS: string, CLAMD_TIMEOUT_MS = '2000') =>
  loadConfig(Type.Object(scanEnv), { CLAMD_ADDRESS, CLAMD_TIMEOUT_MS });

async function app(address: string, timeoutMs?: string): Promise<TestApp> {
  const scanner = createFileScanner(
    configOf(address, timeoutMs),
    createLogger({ name: 'scan', level: 'silent' }),
  );
  const started = await startApp(
    (http) =>
      mountRoute(http, route, async ({ form }) => {
        taken.push(...form.files.docs);
        return { taken: form.files.docs.length };
      }),
    { scanner },
  );
  stops.push(() => started.app.close());
  return started;
}

async function clamd(manner?: ClamdManner, socketFile?: string): Promise<TestClamd> {
  const started = await startClamd(manner, socketFile);
  stops.push(started.stop);
  return started;
}

const send = ({ url }: TestApp, ...texts: (string | Uint8Array<ArrayBuffer>)[]) => {
  const body = new FormData();
  for (const [i, text] of texts.entries()) body.append('docs', new Blob([text]), `file-${i + 1}.txt`);
  return wire(fetch(`${url}/files`, { method: 'POST', body }));
};
const counted = async (outcome: string): Promise<number> => {
  const line = (await registry.metrics())
    .split('\n')
    .find((one) => one.startsWith(`uploads_scanned_total{outcome="${outcome}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('a form with files, if a scanner is configured', () => {
  it('is accepted if every file is clean, after a full scan', async () => {
    const scanner = await clamd();
    const large = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251);
    expect(await send(await app(scanner.address), 'harmless', large)).toEqual({
      status: 200,
      body: { taken: 2 },
    });
    expect(scanner.scanned.map((bytes) => bytes.length)).toEqual([8, 3_000_000]);
    expect(scanner.scanned[1]?.equals(large)).toBe(true);
  });

  it('is rejected with the name of the infected file, and the handler gets no file', async () => {
    const scanner = await clamd();
    const before = await counted('infected');
    expect(await send(await app(scanner.address), 'harmless', EICAR)).toEqual({
      status: 422,
      body: {
        code: 'file_infected',
        detail: [
          {
            loc: 'docs',
            msg: `'file-2.txt' contains harmful software and was not taken.`,
            file: 'file-2.txt',
          },
        ],
      },
    });
    expect(taken).toEqual([]);
    expect(await counted('infected')).toBe(before + 1);
  });

  it('connects to a Unix socket as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'karaar-clamd-'));
    stops.push(() => rm(folder, { recursive: true }));
    const scanner = await clamd({}, join(folder, 'clamd.sock'));
    const service = await app(scanner.address);
    expect((await send(service, 'harmless')).status).toBe(200);
    expect((await send(service, EICAR)).status).toBe(422);
  });

  it.each<[string, ClamdManner]>([
    ['does not answer', { answer: null }],
    ['could not scan', { answer: 'Can’t allocate memory ERROR' }],
    ['says what nobody understands', { answer: 'stream: MAYBE' }],
    ['finds the file too large', { maxBytes: 100_000 }],
  ])('is rejected temporarily when the scanner %s', async (_what, manner) => {
    const scanner = await clamd(manner);
    const before = await counted('failed');
    const answer = await send(await app(scanner.address, '300'), new Uint8Array(2_000_000));
    expect(answer).toEqual({
      status: 503,
      body: {
        code: 'scan_unavailable',
        detail: 'Files cannot be checked right now. Please try again later.',
      },
    });
    expect(taken).toEqual([]);
    expect(await counted('failed')).toBe(before + 1);
  });

  it('is rejected while the scanner is away, and leaves no file behind', async () => {
    const { address, stop } = await startClamd();
    const service = await app(address);
    await send(service, 'first');
    await stop();
    expect((await send(service, EICAR)).status).toBe(503);
    expect(taken.filter(({ path }) => existsSync(path))).toEqual([]);
  });

  it('is accepted without a scan if it has no files', async () => {
    expect((await send(await app('tcp://127.0.0.1:1'))).status).toBe(200);
  });
});

it('has no scanner without an address, and an invalid address stops the start', () => {
  const logger = createLogger({ name: 'scan', level: 'silent' });
  expect(createFileScanner(loadConfig(Type.Object(scanEnv), {}), logger)).toBeUndefined();
  for (const address of ['clamd:3310', 'http://clamd:3310', 'tcp://clamd'])
    expect(() => configOf(address)).toThrow('CLAMD_ADDRESS');
});
