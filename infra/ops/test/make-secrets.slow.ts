/** `karaar make-secrets`. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKey } from '@karaar/sealing';
import { parseAllDocuments } from 'yaml';
import { karaar } from './karaar.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'karaar-secrets-'))));
afterAll(() => rm(folder, { recursive: true }));

it('writes files that only the caller can read, and lists secrets that others issue', async () => {
  const to = join(folder, 'store');
  const made = await karaar(['make-secrets', '--host', 'karaar.example', '--to', to], {
    SMS_ACCOUNT_SID: 'AC1',
  });
  expect(made).toMatchObject({ code: 0, text: expect.stringContaining('wallet/RAZORPAY_KEY_ID,') });
  expect(made.text).not.toContain('sms/SMS_ACCOUNT_SID');
  expect(made.text).toContain("The seal is by karaar.example's own authority");
  const names = await readdir(to);
  expect(names).toContain('kubernetes.yaml');
  for (const name of names) expect((await stat(join(to, name))).mode & 0o077).toBe(0);
  expect((await stat(to)).mode & 0o077).toBe(0);
  expect(JSON.parse(await readFile(join(to, 'sms.json'), 'utf8'))).toEqual({ SMS_ACCOUNT_SID: 'AC1' });
  const seal = JSON.parse(await readFile(join(to, 'documents.json'), 'utf8')) as Record<string, string>;
  const bytes = Buffer.from(seal['SEAL_P12'] ?? '', 'base64');
  const { identity } = await openKey({ kind: 'p12', bytes, password: seal['SEAL_P12_PASSWORD'] ?? '' });
  expect(identity).toMatchObject({ signer: 'Karaar seal of karaar.example', ownAuthority: true });
});

it('writes the same secrets for a cluster and for other stores', async () => {
  const to = join(folder, 'both');
  expect(await karaar(['make-secrets', '--host', 'k.example', '--to', to, '--sandbox'], {})).toMatchObject({
    code: 0,
  });
  type Secret = { kind: string; metadata: { name: string }; stringData: Record<string, string> };
  const objects = parseAllDocuments(await readFile(join(to, 'kubernetes.yaml'), 'utf8')).map(
    (document) => document.toJS() as Secret,
  );
  const secrets = objects.filter(({ kind }) => kind === 'Secret');
  expect(secrets.length).toBeGreaterThan(8);
  for (const { metadata, stringData } of secrets)
    expect(JSON.parse(await readFile(join(to, `${metadata.name}.json`), 'utf8'))).toEqual(stringData);
  // URLs and configuration files need no quoting for these passwords.
  const passwords = ['nats', 'postgres', 'valkey'].flatMap((name) =>
    Object.values(secrets.find(({ metadata }) => metadata.name === name)?.stringData ?? {}),
  );
  expect(passwords.filter((password) => !/^[0-9a-z]{24,}$/.test(password))).toEqual([]);
  expect(new Set(passwords).size).toBe(passwords.length);
});

it('never overwrites existing files', async () => {
  const to = join(folder, 'once');
  expect((await karaar(['make-secrets', '--host', 'k.example', '--to', to], {})).code).toBe(0);
  const before = await readFile(join(to, 'auth.json'), 'utf8');
  const again = await karaar(['make-secrets', '--host', 'k.example', '--to', to], {});
  expect(again).toMatchObject({ code: 1, text: expect.stringContaining('cannot be made') });
  expect(await readFile(join(to, 'auth.json'), 'utf8')).toBe(before);
  expect((await karaar(['make-secrets', '--to', join(folder, 'x')], {})).text).toContain(
    'make-secrets --host',
  );
});
