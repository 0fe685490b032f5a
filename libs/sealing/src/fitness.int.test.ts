/** Each fault of a bought key, with certificates that OpenSSL makes. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { keyFaults } from './fitness.ts';
import { openKey } from './keys.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const DOCUMENTS = 'extendedKeyUsage=1.3.6.1.5.5.7.3.36';
const SIGNING = 'keyUsage=critical,digitalSignature,nonRepudiation';
const AUTHORITY = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
const EC = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

let dir: string;
const file = (name: string): string => join(dir, name);

type Wish = { extensions?: string[]; key?: string[]; days?: string; hash?: string };
/** Creates NAME.key and NAME.crt, signed by an issuer or by itself. */
async function issue(name: string, issuer: string | undefined, wish: Wish = {}): Promise<void> {
  const { extensions = [], key = EC, days = '90', hash = 'sha256' } = wish;
  await writeFile(file(`${name}.ext`), extensions.join('\n'));
  await run('openssl', [
    ...['req', '-new', '-newkey', ...key, '-nodes', '-subj', `/CN=${name}`],
    ...['-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)],
  ]);
  const by = issuer
    ? ['-CA', file(`${issuer}.crt`), '-CAkey', file(`${issuer}.key`), '-CAcreateserial']
    : ['-signkey', file(`${name}.key`)];
  await run('openssl', [
    ...['x509', '-req', '-in', file(`${name}.csr`), ...by, `-${hash}`, '-days', days],
    ...['-extfile', file(`${name}.ext`), '-out', file(`${name}.crt`)],
  ]);
}

/** Returns the opened PKCS#12 of a key with these certificates, in this order. */
async function opened(key: string, certificates: readonly string[]) {
  const pems = await Promise.all(certificates.map((name) => readFile(file(`${name}.crt`), 'utf8')));
  await writeFile(file('all.pem'), pems.join(''));
  await run('openssl', [
    ...['pkcs12', '-export', '-inkey', file(`${key}.key`), '-in', file('all.pem')],
    ...['-passout', 'pass:p', '-out', file('seal.p12')],
  ]);
  return openKey({ kind: 'p12', bytes: await readFile(file('seal.p12')), password: 'p' });
}
const causes = async (key: string, certificates: readonly string[] = [key, 'Issuer', 'Root'], now?: Date) =>
  (await keyFaults(await opened(key, certificates), now)).map(({ cause }) => cause);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'karaar-fitness-'));
  await issue('Root', undefined, { extensions: AUTHORITY });
  await issue('Issuer', 'Root', { extensions: AUTHORITY });
  await issue('Seal', 'Issuer', { extensions: [SIGNING, DOCUMENTS] });
});
afterAll(() => rm(dir, { recursive: true }));

it('accepts a key whose file has its certificates in any order, and leaves out others', async () => {
  await issue('Stranger', undefined, { extensions: AUTHORITY });
  const { identity } = await opened('Seal', ['Root', 'Stranger', 'Issuer', 'Seal']);
  expect(identity).toMatchObject({ signer: 'Seal' });
  expect(identity.chain).toHaveLength(3);
  expect(await causes('Seal', ['Root', 'Stranger', 'Issuer', 'Seal'])).toEqual([]);
});

it('accepts RSA, and a certificate without purposes', async () => {
  await issue('Plain', 'Issuer', { extensions: [SIGNING], key: ['rsa:2048'] });
  expect(await causes('Plain')).toEqual([]);
});

it('names the certificate that the chain lacks', async () => {
  expect(await causes('Seal', ['Seal', 'Root'])).toEqual([
    'The chain is not complete: it ends at "Seal", without the certificate of its issuer "Issuer".',
  ]);
  expect(await causes('Seal', ['Seal', 'Issuer'])).toEqual([
    'The chain is not complete: it ends at "Issuer", without the certificate of its issuer "Root".',
  ]);
});

it('refuses an issuer of the same name with another key, and one that is not an authority', async () => {
  const [key, crt] = [await readFile(file('Issuer.key')), await readFile(file('Issuer.crt'))];
  await issue('Issuer', 'Root', { extensions: AUTHORITY });
  expect(await causes('Seal')).toEqual([
    'The signature of "Issuer" on the certificate of "Seal" is not valid.',
  ]);
  await writeFile(file('Issuer.key'), key);
  await writeFile(file('Issuer.crt'), crt);
  await issue('Below', 'Seal', { extensions: [SIGNING] });
  expect(await causes('Below', ['Below', 'Seal', 'Issuer', 'Root'])).toEqual(['"Seal" is not an authority.']);
});

it.each<[string, Wish, string]>([
  [
    'of a web server',
    { extensions: [SIGNING, 'extendedKeyUsage=serverAuth'] },
    'Its extended key usage is not for documents but for a web server (1.3.6.1.5.5.7.3.1).',
  ],
  [
    'of a key for encryption',
    { extensions: ['keyUsage=critical,keyEncipherment', DOCUMENTS] },
    'Its key usage has neither digitalSignature nor nonRepudiation (contentCommitment).',
  ],
  ['of an authority', { extensions: AUTHORITY }, 'The certificate of "Faulty" is an authority’s.'],
  [
    'of a short RSA key',
    { extensions: [SIGNING], key: ['rsa:1024'] },
    'The key of "Faulty" is too weak or of a kind that is not supported (rsa 1024).',
  ],
  [
    'signed with SHA-1',
    { extensions: [SIGNING], hash: 'sha1' },
    'The signature of "Issuer" on the certificate of "Faulty" is by a signature algorithm that is not supported, such as one with SHA-1.',
  ],
  ['that ends soon', { extensions: [SIGNING], days: '9' }, 'The certificate of "Faulty" ends in 8 days.'],
  [
    'with an unknown critical extension',
    { extensions: [SIGNING, '1.2.3.4=critical,ASN1:NULL'] },
    'Our verifier refuses the chain: a name constraint, a critical extension or a path length forbids it.',
  ],
])('refuses a certificate %s', async (_, wish, cause) => {
  await issue('Faulty', 'Issuer', wish);
  const faults = await keyFaults(await opened('Faulty', ['Faulty', 'Issuer', 'Root']));
  expect(faults.map((fault) => fault.cause)).toContain(cause);
  for (const { remedy } of faults) expect(remedy).toMatch(/^\w.{20,}\.$/);
});

it('refuses a certificate that signed itself, and dates before or after its own', async () => {
  await issue('Alone', undefined, { extensions: [SIGNING] });
  expect(await causes('Alone', ['Alone'])).toEqual(['Nobody but "Alone" itself has signed its certificate.']);
  const all = ['Seal', 'Issuer', 'Root'];
  expect(await causes('Seal', all, new Date('2020-01-01'))).toHaveLength(3);
  expect((await causes('Seal', all, new Date('2090-01-01')))[0]).toMatch(
    /^The certificate of "Seal" ended on /,
  );
});
