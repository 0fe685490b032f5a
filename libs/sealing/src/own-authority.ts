/**
 * An authority of the installation's own, for a start without a bought certificate. PDF readers do not know
 * it; Karaar's verifier and the receipt do.
 */
import 'reflect-metadata'; // the certificate library's dependency injection asks for it
import { randomBytes } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import * as pki from 'pkijs';
import { OWN_AUTHORITY } from '@karaar/proof/seal/own-authority';

export { x509 };

/** How the keys are made and opened. */
export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const YEAR = 365 * 24 * 3600 * 1000;
/** Extended key usage "document signing", RFC 9336. */
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';
const BAG = { key: '1.2.840.113549.1.12.10.1.2', certificate: '1.2.840.113549.1.12.10.1.3' } as const;

export interface OwnCertificates {
  authority: x509.X509Certificate;
  certificate: x509.X509Certificate;
  /** PKCS#8. */
  key: ArrayBuffer;
}

/**
 * Makes an authority and the certificate of a new key. The authority's key is thrown away: it signs only this
 * certificate.
 * @param where the host, or `development`
 */
export async function ownCertificates(where: string): Promise<OwnCertificates> {
  const authorityKeys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notBefore = new Date(Date.now() - 60_000); // so that a clock that is a little behind accepts it
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [`${OWN_AUTHORITY} (${where})`] }, { O: [`Karaar (${where})`] }],
    notBefore,
    notAfter: new Date(notBefore.getTime() + 10 * YEAR),
    signingAlgorithm: ALGORITHM,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [
      { CN: [where === 'development' ? 'Karaar development seal' : `Karaar seal of ${where}`] },
      { O: [`Karaar (${where})`] },
      { C: ['IN'] },
    ],
    issuer: authority.subject,
    notBefore,
    notAfter: new Date(notBefore.getTime() + 2 * YEAR),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation,
        true,
      ),
      new x509.ExtendedKeyUsageExtension([DOCUMENT_SIGNING]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  return { authority, certificate, key: await crypto.subtle.exportKey('pkcs8', keys.privateKey) };
}

/** Makes a sealing key of the installation's own: PKCS#12 in base64 and its password, as configured. */
export async function ownSeal(host: string): Promise<{ SEAL_P12: string; SEAL_P12_PASSWORD: string }> {
  const password = randomBytes(18).toString('hex');
  const p12 = await packed(await ownCertificates(host), password);
  return { SEAL_P12: Buffer.from(p12).toString('base64'), SEAL_P12_PASSWORD: password };
}

const ITERATIONS = 100_000;

/** Returns PKCS#12 (RFC 7292): the key encrypted by AES-256, everything authenticated by HMAC-SHA-256. */
async function packed({ authority, certificate, key }: OwnCertificates, password: string) {
  const secret = new TextEncoder().encode(password).buffer;
  const keyBag = new pki.PKCS8ShroudedKeyBag({ parsedValue: pki.PrivateKeyInfo.fromBER(key) });
  await keyBag.makeInternalValues({
    password: secret,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256, iv: randomBytes(16) },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: ITERATIONS,
  });
  const safeBags = [
    new pki.SafeBag({ bagId: BAG.key, bagValue: keyBag }),
    ...[certificate, authority].map(
      ({ rawData }) =>
        new pki.SafeBag({
          bagId: BAG.certificate,
          bagValue: new pki.CertBag({ parsedValue: pki.Certificate.fromBER(rawData) }),
        }),
    ),
  ];
  const authenticatedSafe = new pki.AuthenticatedSafe({
    parsedValue: { safeContents: [{ privacyMode: 0, value: new pki.SafeContents({ safeBags }) }] },
  });
  await authenticatedSafe.makeInternalValues({ safeContents: [{}] });
  const pfx = new pki.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } });
  await pfx.makeInternalValues({
    password: secret,
    iterations: ITERATIONS,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  });
  return pfx.toSchema().toBER();
}

function serial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}
