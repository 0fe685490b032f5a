import 'reflect-metadata'; // the certificate library's dependency injection asks for it
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';
import { CryptoKeySigner, type Signer } from '@libpdf/core';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const YEAR = 365 * 24 * 3600 * 1000;
/** Renewed this long before it expires, so that a long-running service never has an expired one. */
const RENEW_BEFORE = 30 * 24 * 3600 * 1000;
/** Extended key usage "document signing", RFC 9336. */
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';

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
  const caKeys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 60_000); // so that a clock that is a little behind accepts it
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: 'CN=Karaar development CA,O=Karaar (development)',
    notBefore,
    notAfter: new Date(notBefore.getTime() + 10 * YEAR),
    signingAlgorithm: ALGORITHM,
    keys: caKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=Karaar development seal,O=Karaar (development),C=IN',
    issuer: ca.subject,
    notBefore,
    notAfter: new Date(notBefore.getTime() + 2 * YEAR),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation,
        true,
      ),
      new x509.ExtendedKeyUsageExtension([DOCUMENT_SIGNING]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const write = (name: string, pem: string): Promise<void> =>
    writeFile(join(dir, name), `${pem}\n`, { mode: 0o600 });
  // The CA's key is not stored: it signs only this certificate.
  await write(FILES.ca, ca.toString('pem'));
  await write(FILES.certificate, certificate.toString('pem'));
  await write(FILES.key, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'));
}

function serial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}
