import 'reflect-metadata'; // required by the certificate library's dependency injection
import { CryptoKeySigner, type Signer } from '@libpdf/core';
import { readCertificate, type Certificate } from '@karaar/proof/seal/certificate';
import * as x509 from '@peculiar/x509';

/** A certificate authority for tests: honest, or an attacker's with the same names. */

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 24 * 3600 * 1000;
type Keys = Awaited<ReturnType<typeof generate>>;
const generate = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

export type Issue = {
  name?: string;
  /** Days from now. */
  from?: number;
  until?: number;
  usage?: number;
  authority?: boolean;
  /** An unknown critical extension. */
  odd?: boolean;
  keys?: Keys;
};

export type Authority = {
  root: Certificate;
  issue: (options?: Issue) => Promise<{ signer: Signer; certificate: Certificate; keys: Keys }>;
};

export async function makeAuthority(name = 'CN=Test Root'): Promise<Authority> {
  const keys = await generate();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name,
    notBefore: new Date(Date.now() - 400 * DAY),
    notAfter: new Date(Date.now() + 400 * DAY),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return { root: read(certificate), issue: (options) => issueBy({ certificate, keys }, options) };
}

/** Issues with any certificate, also if it is not an authority's. */
export async function issueBy(
  issuer: { certificate: x509.X509Certificate; keys: Keys },
  options: Issue = {},
) {
  const keys = options.keys ?? (await generate());
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(crypto.getRandomValues(new Uint8Array(8)))
      .toString('hex')
      .replace(/^./, '4'),
    subject: options.name ?? 'CN=Karaar seal',
    issuer: issuer.certificate.subject,
    notBefore: new Date(Date.now() + (options.from ?? -1) * DAY),
    notAfter: new Date(Date.now() + (options.until ?? 30) * DAY),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(options.authority ?? false, undefined, true),
      new x509.KeyUsagesExtension(options.usage ?? x509.KeyUsageFlags.digitalSignature, true),
      ...(options.odd ? [new x509.Extension('1.2.3.4', true, new Uint8Array([5, 0]))] : []),
    ],
  });
  const chain = [new Uint8Array(issuer.certificate.rawData)];
  return {
    keys,
    x509: certificate,
    certificate: read(certificate),
    signer: new CryptoKeySigner(keys.privateKey, new Uint8Array(certificate.rawData), 'EC', 'ECDSA', chain),
  };
}

const read = (certificate: x509.X509Certificate): Certificate =>
  readCertificate(new Uint8Array(certificate.rawData));
