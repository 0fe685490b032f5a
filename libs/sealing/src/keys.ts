import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { P12Signer, type Signer } from '@libpdf/core';
import { isOwnAuthority } from '@karaar/proof/seal/own-authority';
import { openDevKey } from './dev-ca.ts';
import { SealError } from './errors.ts';
import { openPkcs11, type Pkcs11Options } from './pkcs11.ts';

/**
 * The source of the sealing key.
 * `p12`: bytes and password of a PKCS#12 file, from configuration.
 * `pkcs11`: a key that never leaves its device.
 * `signer`: any other key behind the library's interface, such as a cloud KMS.
 * `dev`: one of the installation's own authority, created under `stateDir` at the first start.
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
  /** True if the installation's own authority issued it, so that PDF readers do not know it. */
  ownAuthority: boolean;
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
  const chain = [signer.certificate, ...(signer.certificateChain ?? [])];
  return {
    signer,
    identity: {
      signer: commonName(certificate.subject),
      certFingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
      notAfter,
      chain,
      ownAuthority: chain.some((der) => isOwnAuthority(commonName(new X509Certificate(der).subject))),
    },
  };
}

async function openSigner(source: KeySource): Promise<Signer> {
  if (source.kind === 'signer') return source.signer;
  if (source.kind === 'pkcs11') return openPkcs11(source.options);
  try {
    if (source.kind === 'dev') return await openDevKey(source.stateDir);
    return await arranged(await P12Signer.create(source.bytes, source.password));
  } catch (cause) {
    if (cause instanceof SealError) throw cause;
    throw new SealError(
      'key_invalid',
      'The sealing key cannot be opened: wrong password, or not a PKCS#12 file. `openssl pkcs12 -info -noout -in FILE` tries a password.',
      cause,
    );
  }
}

/**
 * Returns the signer with the certificate of its key and then each one's issuer. Files contain them in any
 * order, and others that a seal must not contain.
 * @throws SealError `key_invalid` if the key has no certificate
 */
async function arranged(signer: Signer): Promise<Signer> {
  const all = [signer.certificate, ...(signer.certificateChain ?? [])].map((der) => new X509Certificate(der));
  const data = randomBytes(32);
  const signature = await signer.sign(data, 'SHA-256');
  const own = all.find(
    ({ publicKey }) =>
      publicKey.asymmetricKeyType === signer.keyType.toLowerCase() &&
      verify('sha256', data, publicKey, signature),
  );
  if (!own)
    throw new SealError(
      'key_invalid',
      'The private key is not the one of a certificate in the file. Export the key with its own certificate.',
    );
  const chain = [own];
  for (let top = own, issuer; top.subject !== top.issuer; top = issuer) {
    const below = top;
    issuer = all.find(
      (one) => !chain.includes(one) && below.issuer === one.subject && below.verify(one.publicKey),
    );
    // Another certificate of the issuer's name shows the fault to the check of the chain.
    issuer ??= all.find((one) => !chain.includes(one) && below.issuer === one.subject);
    if (!issuer) break;
    chain.push(issuer);
  }
  const [certificate, ...above] = chain.map(({ raw }) => new Uint8Array(raw)) as [
    Uint8Array,
    ...Uint8Array[],
  ];
  const { keyType, signatureAlgorithm } = signer;
  return {
    certificate,
    certificateChain: above,
    keyType,
    signatureAlgorithm,
    sign: (bytes, algorithm) => signer.sign(bytes, algorithm),
  };
}

/** Returns the common name of a subject or issuer as Node prints it, or else all of it. */
export const commonName = (name: string): string =>
  /^CN=(.*)$/m.exec(name)?.[1] ?? name.replaceAll('\n', ', ');
