import { createHash, X509Certificate } from 'node:crypto';
import { P12Signer, type Signer } from '@libpdf/core';
import { openDevKey } from './dev-ca.ts';
import { SealError } from './errors.ts';
import { openPkcs11, type Pkcs11Options } from './pkcs11.ts';

/**
 * The source of the sealing key.
 * `p12`: bytes and password of a PKCS#12 file, from configuration.
 * `pkcs11`: a key that never leaves its device.
 * `signer`: any other key behind the library's interface, such as a cloud KMS.
 * `dev`: a CA and certificate of our own, created under `stateDir` at the first start; never for production.
 */
export type KeySource =
  | { kind: 'p12'; bytes: Uint8Array; password: string }
  | { kind: 'pkcs11'; options: Pkcs11Options }
  | { kind: 'signer'; signer: Signer }
  | { kind: 'dev'; stateDir: string };

export interface SealKey {
  signer: Signer;
  identity: SealIdentity;
}

export interface SealIdentity {
  signer: string;
  /** Hex SHA-256 of the certificate's DER. */
  certFingerprint: string;
  notAfter: Date;
  /** DER of the certificate and its issuers, the root last. */
  chain: readonly Uint8Array[];
  /** True for our own development key; a service must refuse to start with it in production. */
  development: boolean;
}

/**
 * Returns true if the key is a development key, which others do not trust. Called by the services'
 * configuration check.
 */
export function isDevelopmentKey(source: KeySource): boolean {
  return source.kind === 'dev';
}

/**
 * Opens the key. Call it once at start, so that a wrong password fails there.
 * @throws SealError `key_invalid`
 */
export async function openKey(source: KeySource): Promise<SealKey> {
  const signer = await openSigner(source);
  const certificate = new X509Certificate(signer.certificate);
  const notAfter = new Date(certificate.validTo);
  if (notAfter.getTime() <= Date.now()) {
    throw new SealError(
      'key_invalid',
      `The sealing certificate expired on ${notAfter.toISOString().slice(0, 10)}.`,
    );
  }
  return {
    signer,
    identity: {
      signer: commonName(certificate),
      certFingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
      notAfter,
      chain: [signer.certificate, ...(signer.certificateChain ?? [])],
      development: isDevelopmentKey(source),
    },
  };
}

async function openSigner(source: KeySource): Promise<Signer> {
  if (source.kind === 'signer') return source.signer;
  if (source.kind === 'pkcs11') return openPkcs11(source.options);
  try {
    if (source.kind === 'dev') return await openDevKey(source.stateDir);
    return await P12Signer.create(source.bytes, source.password);
  } catch (cause) {
    throw new SealError(
      'key_invalid',
      'The sealing key cannot be opened: wrong password, or not a PKCS#12 file.',
      cause,
    );
  }
}

function commonName(certificate: X509Certificate): string {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? certificate.subject.replaceAll('\n', ', ');
}
