/** Rotation of the sealing key while the service runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { startCa, type OpensslCa } from '@karaar/sealing/testing/openssl-ca';
import { startApi, type Api } from '@karaar/service-documents/test/api';
import { approvedBy } from '@karaar/service-documents/test/approved';
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
let first: Uint8Array<ArrayBuffer>;

const seal = async (name: string) => {
  await ca.issue(folder, name, ['keyUsage=critical,digitalSignature,nonRepudiation']);
  const bytes = await ca.p12(folder, name, PASSWORD);
  return { SEAL_P12: bytes.toString('base64'), SEAL_P12_PASSWORD: PASSWORD };
};
const rotate = (file: string, password = PASSWORD) =>
  karaar(['rotate-seal', '--p12', join(folder, file)], {
    DOCUMENTS_DATABASE_URL: old.world.env['DATABASE_URL'] ?? '',
    SEAL_P12_PASSWORD: password,
    // Unused, but every service's database must be named.
    ...Object.fromEntries(
      ['AUTH', 'CMS', 'MESSAGING', 'PAYMENTS', 'WALLET'].map((name) => [
        `${name}_DATABASE_URL`,
        'postgres://nowhere/none',
      ]),
    ),
  });

/** Seals a new document and returns the file. */
async function sealed(api: Api): Promise<Uint8Array<ArrayBuffer>> {
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
  const answer = await fetch(`${api.url}/documents/${id}/final-pdf`, { headers: owner.headers });
  return new Uint8Array(await answer.arrayBuffer());
}

async function verdict(api: Api, pdf: Uint8Array<ArrayBuffer>): Promise<unknown> {
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

it('refuses a key that the service would refuse, and the current key', async () => {
  await seal('two');
  expect(await rotate('two.p12', 'wrong')).toMatchObject({ code: 1 });
  expect(await rotate('one.p12')).toMatchObject({
    code: 1,
    text: expect.stringContaining('this is not another key') as string,
  });
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
  } finally {
    await young.stop();
  }
});
