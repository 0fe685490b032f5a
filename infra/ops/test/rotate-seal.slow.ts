/** Rotation of the sealing key while the service runs. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jest } from '@jest/globals';
import { startCa, type OpensslCa } from '@karaar/sealing/testing/openssl-ca';
import { startApi, type Api } from '@karaar/service-documents/test/api';
import { approvedBy } from '@karaar/service-documents/test/approved';
import { launchChromium } from '@karaar/testing/servers/chromium';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { karaar } from './karaar.ts';

jest.setTimeout(120_000);

const PASSWORD = 'of the seal';
let folder: string;
let ca: OpensslCa;
let old: Api;
let owner: WorldUser;
let guest: WorldUser;
let first: Sealed;

type Sealed = { id: string; pdf: Uint8Array<ArrayBuffer> };

const seal = async (name: string, ...more: string[]) => {
  await ca.issue(folder, name, ['keyUsage=critical,digitalSignature,nonRepudiation', ...more]);
  const bytes = await ca.p12(folder, name, PASSWORD);
  return { SEAL_P12: bytes.toString('base64'), SEAL_P12_PASSWORD: PASSWORD };
};
const rotate = (file: string, password = PASSWORD, ...more: string[]) =>
  run(['--p12', join(folder, file), ...more], password);
const run = (args: string[], password = '') =>
  karaar(['rotate-seal', ...args], {
    DOCUMENTS_DATABASE_URL: old.world.env['DATABASE_URL'] ?? '',
    ...(password ? { SEAL_P12_PASSWORD: password } : {}),
    // Unused, but every service's database must be named.
    ...Object.fromEntries(
      ['AUTH', 'CMS', 'MESSAGING', 'PAYMENTS', 'WALLET'].map((name) => [
        `${name}_DATABASE_URL`,
        'postgres://nowhere/none',
      ]),
    ),
  });

/** Seals a new document. */
async function sealed(api: Api): Promise<Sealed> {
  const id = await approvedBy(api, owner, guest);
  await api.send(owner, `/documents/${id}/finalize`, new FormData(), 'PATCH');
  await until(
    'it is sealed and logged',
    async () => {
      const { body } = await api.call(owner, 'GET', `/documents/${id}`);
      return body['blockchain'] === true;
    },
    60_000,
  );
  return { id, pdf: await download(api, id, 'final-pdf') };
}

async function download(api: Api, id: string, what: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`${api.url}/documents/${id}/${what}`, { headers: owner.headers });
  return new Uint8Array(await answer.arrayBuffer());
}

/** Checks a document's file with its receipt of today, in a browser without network. */
async function receiptVerdict(api: Api, { id, pdf }: Sealed): Promise<string | null> {
  const [page, file] = [join(folder, 'receipt.html'), join(folder, 'final.pdf')];
  await writeFile(page, await download(api, id, 'receipt'));
  await writeFile(file, pdf);
  const { browser, close } = await launchChromium();
  try {
    const tab = await browser.newPage();
    await tab.setOfflineMode(true);
    await tab.goto(pathToFileURL(page).href);
    const input = await tab.$('input[type=file]');
    // `uploadFile` needs an element type of the browser, which this project's types lack.
    await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(file);
    await tab.waitForSelector('#result:not([hidden])');
    return await tab.$eval('#result', (element) => element.getAttribute('data-verdict'));
  } finally {
    await close();
  }
}

async function verdict(api: Api, { pdf }: Sealed): Promise<unknown> {
  const form = new FormData();
  form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'final.pdf');
  const answer = await fetch(`${api.url}/verify`, { method: 'POST', body: form });
  const { valid, sealed_by } = (await answer.json()) as { valid: boolean; sealed_by: string | null };
  return { valid, sealed_by };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-seal-'));
  ca = await startCa(folder);
  old = await startApi('rotate-seal', await seal('one'));
  owner = await old.world.addUser('Asha Rao');
  guest = await old.world.addUser('Vikram Shah');
  first = await sealed(old);
});
afterAll(async () => {
  await old.stop();
  ca.close();
  await rm(folder, { recursive: true, force: true });
});

it('refuses a key that the service would refuse, the current key, and one that is not for documents', async () => {
  await seal('two');
  expect(await rotate('two.p12', 'wrong')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/wrong password.*openssl pkcs12.*Nothing was changed/s) as string,
  });
  expect(await rotate('none.p12')).toMatchObject({
    code: 1,
    text: expect.stringContaining('cannot be read') as string,
  });
  expect(await rotate('one.p12')).toMatchObject({
    code: 1,
    text: expect.stringContaining('this is not another key') as string,
  });
  await seal('web', 'extendedKeyUsage=serverAuth');
  expect((await rotate('web.p12')).text).toMatch(/nothing was changed.\n- .* for a web server .* Order one/);
});

it('puts a bought key and one of its own authority into the file of compose', async () => {
  const [into, secret] = [join(folder, 'compose.env'), join(folder, 'password')];
  const { SEAL_P12 } = await seal('three');
  await writeFile(into, "KARAAR_HOST='k.example'\nSEAL_P12='old'\nSEAL_P12_PASSWORD='old'\n");
  await writeFile(secret, `${PASSWORD}\n`);
  const wrong = await rotate('one.p12', PASSWORD, '--into', into);
  expect(wrong.text).toContain('not another key');
  expect(await readFile(into, 'utf8')).toContain("SEAL_P12='old'");
  const args = ['--p12', join(folder, 'three.p12'), '--password-file', secret, '--into', into];
  expect(await run(args)).toMatchObject({ code: 0 });
  expect(await readFile(into, 'utf8')).toBe(
    `KARAAR_HOST='k.example'\nSEAL_P12='${SEAL_P12}'\nSEAL_P12_PASSWORD='${PASSWORD}'\n`,
  );
  expect((await stat(into)).mode & 0o077).toBe(0);
  const own = await run(['--own', 'k.example', '--into', into]);
  expect(own.text).toMatch(/^Karaar seal of k.example, valid until .*PDF readers do not know its authority/s);
  expect(await readFile(into, 'utf8')).not.toContain(SEAL_P12);
});

it('processes with the old and the new key accept old and new files', async () => {
  const next = await seal('next');
  expect(await verdict(old, first)).toEqual({ valid: true, sealed_by: 'Test one' });
  expect((await rotate('next.p12')).text).toContain('Test next, valid until');

  const { world } = old;
  const young = await startApi('rotate-seal-next', {
    ...world.env,
    STATE_DIR: `${world.folder}/state`,
    ...next,
  });
  try {
    // The old process drains: it finishes no more documents but still answers.
    await old.service.close();
    const second = await sealed(young);
    expect(await verdict(young, second)).toEqual({ valid: true, sealed_by: 'Test next' });
    expect(await verdict(young, first)).toEqual({ valid: true, sealed_by: 'Test one' });
    expect(await receiptVerdict(young, first)).toBe('genuine');
    expect(await receiptVerdict(young, second)).toBe('genuine');
  } finally {
    await young.stop();
  }
});
