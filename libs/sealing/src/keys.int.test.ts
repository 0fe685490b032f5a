import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { checkSeal } from '@karaar/proof/seal/check';
import { fileOf } from '@karaar/proof/seal/sealed-file';
import { textPdf } from '@karaar/testing/made-up/files';
import { tool } from '@karaar/testing/pdf-judges';
import { keyFaults } from './fitness.ts';
import { openKey } from './keys.ts';
import { ownSeal } from './own-authority.ts';
import { readChain } from './validation.ts';
import { createSealer, type KeySource } from './seal.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-keys-'));
});

afterEach(() => rm(dir, { recursive: true }));

describe('the development key', () => {
  it('is created at the first start, kept, and readable only by its owner', async () => {
    const source: KeySource = { kind: 'dev', stateDir: join(dir, 'state') };
    const first = await openKey(source);
    const second = await openKey(source);
    expect(second.identity.certFingerprint).toBe(first.identity.certFingerprint);
    expect(first.identity).toMatchObject({ signer: 'Karaar development seal', ownAuthority: true });
    for (const name of ['seal.key.pem', 'seal.crt.pem', 'ca.crt.pem']) {
      expect((await stat(join(dir, 'state', 'seal', name))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(join(dir, 'state', 'seal'))).mode & 0o077).toBe(0);
  });

  it('is the same for processes that start together', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => openKey({ kind: 'dev', stateDir: dir })));
    expect(new Set(keys.map((key) => key.identity.certFingerprint)).size).toBe(1);
  });

  it('chains to its own CA, for document signing', async () => {
    await openKey({ kind: 'dev', stateDir: dir });
    const file = (name: string): string => join(dir, 'seal', name);
    const { stdout } = await run('openssl', ['verify', '-CAfile', file('ca.crt.pem'), file('seal.crt.pem')]);
    expect(stdout).toContain('OK');
    const { stdout: text } = await run('openssl', ['x509', '-in', file('seal.crt.pem'), '-noout', '-text']);
    expect(text).toContain('Digital Signature, Non Repudiation');
    expect(text).toContain('1.3.6.1.5.5.7.3.36');
    expect(text).toContain('CA:FALSE');
  });

  it('is renewed shortly before its certificate expires', async () => {
    const first = await openKey({ kind: 'dev', stateDir: dir });
    const now = jest.spyOn(Date, 'now').mockReturnValue(first.identity.notAfter.getTime() - 24 * 3600 * 1000);
    try {
      const second = await openKey({ kind: 'dev', stateDir: dir });
      expect(second.identity.certFingerprint).not.toBe(first.identity.certFingerprint);
    } finally {
      now.mockRestore();
    }
  });

  it('is never replaced silently if it cannot be read', async () => {
    await openKey({ kind: 'dev', stateDir: dir });
    await writeFile(join(dir, 'seal', 'seal.key.pem'), 'not a key');
    await expect(openKey({ kind: 'dev', stateDir: dir })).rejects.toMatchObject({ code: 'key_invalid' });
  });
});

it('the key of a start without a certificate is PKCS#12 that OpenSSL opens, fit but of its own authority', async () => {
  const { SEAL_P12, SEAL_P12_PASSWORD: password } = await ownSeal('karaar.example');
  const bytes = Buffer.from(SEAL_P12, 'base64');
  const key = await openKey({ kind: 'p12', bytes, password });
  expect(key.identity).toMatchObject({ signer: 'Karaar seal of karaar.example', ownAuthority: true });
  expect(await keyFaults(key)).toEqual([]);
  const { pdf } = await (
    await createSealer({ key: { kind: 'signer', signer: key.signer } })
  ).seal(await textPdf('One'));
  const [own, root] = readChain(key.identity.chain);
  if (!own || !root) throw new Error('the chain is not complete');
  const { seal } = await checkSeal(fileOf(pdf), { sealers: [own], roots: [root], timestampRoots: [] });
  expect(seal).toMatchObject({ signer: 'Karaar seal of karaar.example', ownAuthority: true });
  await writeFile(join(dir, 'own.p12'), bytes);
  const { stdout } = await run('openssl', [
    ...['pkcs12', '-in', join(dir, 'own.p12'), '-passin', `pass:${password}`, '-nodes'],
  ]);
  expect(stdout.match(/BEGIN (CERTIFICATE|PRIVATE KEY)/g)).toHaveLength(3);
});

describe('a PKCS#12 file', () => {
  async function p12(key: readonly string[], legacy: boolean): Promise<Buffer> {
    const file = (name: string): string => join(dir, name);
    await run('openssl', [
      ...['req', '-x509', ...key, '-nodes', '-subj', '/C=IN/O=Example/CN=Example Sealing', '-days', '3'],
      ...['-keyout', file('k.pem'), '-out', file('c.pem')],
    ]);
    await run('openssl', [
      ...[
        'pkcs12',
        '-export',
        '-inkey',
        file('k.pem'),
        '-in',
        file('c.pem'),
        '-passout',
        'pass:correct horse',
      ],
      ...['-out', file('seal.p12'), ...(legacy ? ['-legacy'] : [])],
    ]);
    return readFile(file('seal.p12'));
  }

  it.each([
    ['RSA, modern encryption', ['-newkey', 'rsa:2048'], false],
    ['RSA, as old programs write it', ['-newkey', 'rsa:2048'], true],
    ['EC P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], false],
  ])('opens and seals: %s', async (_, key, legacy) => {
    const source: KeySource = { kind: 'p12', bytes: await p12(key, legacy), password: 'correct horse' };
    const sealer = await createSealer({ key: source });
    expect(sealer.identity).toMatchObject({ signer: 'Example Sealing', ownAuthority: false });
    const { pdf } = await sealer.seal(await textPdf('One'));
    const verdict = await tool('pdfsig', (file) => [file], pdf);
    expect(verdict).toContain('Signature is Valid');
    expect(verdict).toContain('Example Sealing');
  });

  it('with a wrong password or invalid content fails at start without revealing the password', async () => {
    const bytes = await p12(['-newkey', 'rsa:2048'], false);
    for (const source of [
      { kind: 'p12', bytes, password: 'wrong secret' },
      { kind: 'p12', bytes: Buffer.from('garbage'), password: 'wrong secret' },
    ] as KeySource[]) {
      const failure = createSealer({ key: source });
      await expect(failure).rejects.toMatchObject({ code: 'key_invalid', retryable: false });
      await expect(failure).rejects.not.toThrow('wrong secret');
    }
  });
});
