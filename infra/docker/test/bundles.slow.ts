/** Starts the bundles as the images do: migrations first, then every process. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { backingPaths } from '@karaar/testing/backing/paths';
import { printerPath, sofficePath } from '@karaar/testing/machine/programs';
import { makeModels } from '@karaar/testing/faces/models';
import {
  choosePorts,
  innerUrlsOf,
  processEnv,
  processSpecs,
  type Ports,
  type ProcessName,
  type ProductFacts,
} from '@karaar/dev/processes/services';
import type { AccountSheet } from '@karaar/contracts/documents/print';
import { createPrinter } from '@karaar/http/print';
import { faceImage, idCardPng } from '@karaar/testing/faces/faces';
import { testNats, testPostgres, testRedis, type TestDatabase } from '@karaar/testing/harness';
import { bearer } from '@karaar/testing/people/tokens';
import { bundle } from '../src/bundle.ts';
import { lasting, parts } from '../src/parts.ts';

jest.setTimeout(120_000);

const sheet: AccountSheet = {
  part: 'Wallet statement',
  title: 'करार கரார் కరార్',
  lead: 'Every script that people write their names in.',
  reference: '9H4T R2WK',
  facts: [{ label: 'Name', value: 'आशा राव' }],
  columns: [{ title: 'Amount', numeric: true }],
  rows: [['₹1.00']],
  note: '',
};
const folder = mkdtempSync(join(tmpdir(), 'karaar-bundles-'));
const databases: TestDatabase[] = [];
const children: ChildProcess[] = [];
const said = new Map<string, string>();
let facts: ProductFacts;
let ports: Record<ProcessName, Ports>;

beforeAll(async () => {
  ports = await choosePorts();
  facts = {
    paths: backingPaths(join(folder, 'state')),
    urls: Object.fromEntries(
      Object.entries(ports).map(([name, { outer }]) => [name, `http://127.0.0.1:${outer}`]),
    ) as ProductFacts['urls'],
    innerUrls: innerUrlsOf(ports),
    mailPort: ports.sandbox.inner,
    publicUrl: 'http://localhost:8080',
    natsUrl: await testNats(),
    redisUrl: await testRedis(),
    databaseUrls: {},
    chromium: printerPath(process.env, process.env['PATH'] ?? ''),
    soffice: sofficePath(process.env, process.env['PATH'] ?? ''),
  };
  for (const { name } of processSpecs.filter(({ database }) => database)) {
    const database = await testPostgres(`bundle-${name}`);
    databases.push(database);
    facts.databaseUrls[name] = { owner: database.url, runtime: database.runtimeUrl };
  }
  await Promise.all(parts.map((part) => bundle(part, join(folder, part.name))));
  const models = { MODELS_DIR: await makeModels() };
  await Promise.all(processSpecs.map((spec) => start(spec.name, models)));
});

afterAll(async () => {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode === null && once(child, 'exit')));
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: (typeof processSpecs)[number]['name'], extra: Record<string, string>) {
  const spec = processSpecs.find((one) => one.name === name);
  const part = parts.find((one) => one.name === name);
  if (!spec || !part) return;
  const cwd = join(folder, name);
  const env = processEnv(spec, facts, ports[name], {
    ...extra,
    DATABASE_MIGRATIONS: 'await',
    NODE_COMPILE_CACHE: '',
  });
  if (part.entries.includes('migrate.ts'))
    await promisify(execFile)(process.execPath, ['migrate.js'], { cwd, env });
  // Only the migration job gets the address of the tables' owner.
  delete env['MIGRATION_DATABASE_URL'];
  const child = spawn(process.execPath, ['--enable-source-maps', 'main.js'], { cwd, env });
  children.push(child);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => said.set(name, `${said.get(name) ?? ''}${String(text)}`));
}

async function answer(name: keyof ProductFacts['urls'], path: string): Promise<number> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      const response = await fetch(`${facts.urls[name]}${path}`, { signal: AbortSignal.timeout(2_000) });
      if (response.ok || Date.now() > end) return response.status;
    } catch (error) {
      if (Date.now() > end) throw new Error(`${name} says: ${said.get(name) ?? 'nothing'}`, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

it.each(lasting.map(({ name }) => name))('%s becomes healthy and ready from its bundle', async (name) => {
  expect(await answer(name as keyof ProductFacts['urls'], '/healthz')).toBe(200);
  const path = processSpecs.find((spec) => spec.name === name)?.readyPath ?? '';
  expect(await answer(name as keyof ProductFacts['urls'], path)).toBe(200);
});

it('documents prints a page with the fonts of its bundle', async () => {
  expect(await answer('documents', '/readyz')).toBe(200);
  const pdf = await createPrinter(facts.innerUrls.documents, [
    facts.paths.secret('service-credential-wallet-documents'),
  ])(sheet);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
});

it('auth accepts a registration with a picture', async () => {
  expect(await answer('auth', '/readyz')).toBe(200);
  const form = new FormData();
  const person = { name: 'Asha Rao', email: 'asha@example.org', phone_no: '+919812345678' };
  const place = { city: 'Pune', state: 'Maharashtra', govt_id_type: 'PAN', govt_id_number: 'ABCDE1234F' };
  for (const [field, value] of Object.entries({ ...person, ...place })) form.set(field, value);
  form.set('govt_id_image', new Blob([new Uint8Array(await idCardPng())], { type: 'image/png' }), 'id.png');
  const response = await fetch(`${facts.urls.auth}/auth/register`, { method: 'POST', body: form });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 201 });
});

it('vision judges a photo on its bundled worker threads', async () => {
  expect(await answer('vision', '/readyz')).toBe(200);
  const response = await fetch(`${facts.innerUrls.vision}/internal/check?detect_type=faces`, {
    method: 'POST',
    headers: {
      'content-type': 'image/jpeg',
      ...bearer(facts.paths.secret('service-credential-documents-vision')),
    },
    body: new Uint8Array(await faceImage()),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ ok: true });
});

it("the operator's tool lists its commands", async () => {
  const run = promisify(execFile)(process.execPath, ['cli.js'], { cwd: join(folder, 'ops') });
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringMatching(/backup[^]*restore[^]*create-admin/) as string,
  });
});
