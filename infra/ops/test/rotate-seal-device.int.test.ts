/** `karaar rotate-seal --pkcs11`, with keys in SoftHSM. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { migrateToLatest } from '@karaar/db';
import { startCa, type OpensslCa } from '@karaar/sealing/testing/openssl-ca';
import { makeToken, type Token } from '@karaar/sealing/testing/softhsm';
import { readCertificates, type Database } from '@karaar/service-documents/ops';
import { testPostgres, type TestDatabase } from '@karaar/testing/harness';
import { tables, withDatabase } from '../src/databases.ts';
import { rotateSeal } from '../src/seal.ts';

jest.setTimeout(120_000);

const SIGNING = 'keyUsage=critical,digitalSignature,nonRepudiation';
let folder: string;
let ca: OpensslCa;
let database: TestDatabase;
let device: Token;
const file = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-device-'));
  ca = await startCa(folder);
  await ca.issue(folder, 'fit', [SIGNING]);
  await ca.issue(folder, 'web', [SIGNING, 'extendedKeyUsage=serverAuth']);
  await ca.issue(folder, 'short', [SIGNING], 5);
  for (const name of ['fit', 'web', 'short'])
    await writeFile(file(`${name}.pem`), (await readFile(file(`${name}.crt`), 'utf8')) + ca.certificate);
  device = await makeToken(folder, { '01': file('fit.key'), '02': file('web.key'), '03': file('short.key') });
  database = await testPostgres('rotate-seal-device');
  const { url } = database;
  await withDatabase({ service: 'documents', url }, (db) => migrateToLatest(db, tables.documents.migrations));
});
afterAll(async () => {
  ca.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Rotates to a key of the device; returns what the command says. */
function rotate(
  change: Readonly<Record<string, string | undefined>> = {},
  ...args: string[]
): Promise<string> {
  const env = {
    DOCUMENTS_DATABASE_URL: database.url,
    // The installation's present key, which the device replaces.
    SEAL_P12: 'AAAA',
    SEAL_PKCS11_MODULE: device.module,
    SEAL_PKCS11_TOKEN: device.token,
    SEAL_PKCS11_KEY_ID: '01',
    SEAL_PKCS11_PIN: device.pin,
    SEAL_PKCS11_ENV: Object.entries(device.env)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    SEAL_CERTIFICATES_FILE: file('fit.pem'),
    ...change,
  };
  return rotateSeal(['--pkcs11', ...args], env).catch((error: unknown) => String(error));
}
const known = () =>
  withDatabase<Database, Buffer[][]>({ service: 'documents', url: database.url }, readCertificates);

it.each([
  [
    'an incomplete chain',
    () => ({ SEAL_CERTIFICATES_FILE: file('fit.crt') }),
    /chain is not complete: it ends at "Test fit".*issuer "Test CA".*SEAL_CERTIFICATES_FILE/,
  ],
  [
    'a missing chain',
    () => ({ SEAL_CERTIFICATES_FILE: file('none.pem') }),
    /none\.pem cannot be read\. Nothing was changed/,
  ],
  [
    'another purpose',
    () => ({ SEAL_PKCS11_KEY_ID: '02', SEAL_CERTIFICATES_FILE: file('web.pem') }),
    /for a web server .* Order one/,
  ],
  [
    'a certificate that ends soon',
    () => ({ SEAL_PKCS11_KEY_ID: '03', SEAL_CERTIFICATES_FILE: file('short.pem') }),
    /"Test short" ends in 4 days\. Order the next/,
  ],
  [
    'a test signature that is not of the certificate',
    () => ({ SEAL_PKCS11_KEY_ID: '02' }),
    /not that of the sealing certificate.*Nothing was changed/,
  ],
  [
    'a wrong PIN',
    () => ({ SEAL_PKCS11_PIN: 'of-another' }),
    /it refuses the PIN\. Check .*Nothing was changed/,
  ],
  [
    'a missing key',
    () => ({ SEAL_PKCS11_KEY_ID: '07' }),
    /it has no private key of this id\. Check SEAL_PKCS11_MODULE.*Nothing was changed/,
  ],
  ['a missing device', () => ({ SEAL_PKCS11_MODULE: undefined }), /SEAL_PKCS11_MODULE is not set/],
])('refuses %s in words and changes nothing', async (_, change, words) => {
  const said = await rotate(change());
  expect(said.replaceAll('\n', ' ')).toMatch(words);
  expect(said).not.toMatch(new RegExp(`${device.pin}|of-another`));
  expect(await known()).toEqual([]);
});

it('checks a key, seals a test page with it, and publishes its chain once', async () => {
  await writeFile(file('pin'), `${device.pin}\n`);
  const said = await rotate({ SEAL_PKCS11_PIN: undefined }, '--password-file', file('pin'));
  expect(said).toMatch(/^Test fit, valid until .*passed every check and a test seal.*SEAL_PKCS11_…/s);
  const chains = await known();
  expect(chains.map((chain) => chain.length)).toEqual([2]);
  expect(await rotate()).toContain('Test fit has sealed here before');
  expect(await known()).toEqual(chains);
});
