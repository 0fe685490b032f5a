import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CryptoKeySigner, type Signer } from '@libpdf/core';
import { ALGORITHM, ownCertificates, x509 } from './own-authority.ts';

/** Renewed this long before it expires, so that a long-running service never has an expired one. */
const RENEW_BEFORE = 30 * 24 * 3600 * 1000;

const FILES = { ca: 'ca.crt.pem', certificate: 'seal.crt.pem', key: 'seal.key.pem' } as const;

/**
 * Returns the development key: read from `stateDir`/seal, or created there with its own CA. Files have mode
 * 0600 in a 0700 folder. Two processes that start together get the same key: the folder is created under a
 * temporary name and renamed, and the slower process reads the first one's key.
 */
export async function openDevKey(stateDir: string): Promise<Signer> {
  const dir = join(stateDir, 'seal');
  await mkdir(stateDir, { recursive: true });
  const present = await read(dir);
  if (present) return present;
  const made = await mkdtemp(join(stateDir, '.seal-'));
  try {
    await writeKeys(made);
    if (await isExpired(dir)) await rm(dir, { recursive: true, force: true });
    await rename(made, dir).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  const opened = await read(dir);
  if (!opened) throw new Error('The development key could not be read back');
  return opened;
}

async function isExpired(dir: string): Promise<boolean> {
  const pem = await readFile(join(dir, FILES.certificate), 'utf8').catch(() => undefined);
  return pem !== undefined && new x509.X509Certificate(pem).notAfter.getTime() < Date.now() + RENEW_BEFORE;
}

async function read(dir: string): Promise<Signer | undefined> {
  const texts = await Promise.all(
    [FILES.ca, FILES.certificate, FILES.key].map((name) => readFile(join(dir, name), 'utf8')),
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const [ca, certificate, key] = texts ?? [];
  if (!ca || !certificate || !key || (await isExpired(dir))) return undefined;
  const pkcs8 = x509.PemConverter.decodeFirst(key);
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
  const der = (pem: string): Uint8Array => new Uint8Array(new x509.X509Certificate(pem).rawData);
  return new CryptoKeySigner(privateKey, der(certificate), 'EC', 'ECDSA', [der(ca)]);
}

async function writeKeys(dir: string): Promise<void> {
  const { authority, certificate, key } = await ownCertificates('development');
  const write = (name: string, pem: string): Promise<void> =>
    writeFile(join(dir, name), `${pem}\n`, { mode: 0o600 });
  await write(FILES.ca, authority.toString('pem'));
  await write(FILES.certificate, certificate.toString('pem'));
  await write(FILES.key, x509.PemConverter.encode(key, 'PRIVATE KEY'));
}
