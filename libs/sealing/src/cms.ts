import { createHash } from 'node:crypto';
import * as asn1 from 'asn1js';
import * as pki from 'pkijs';
import type { Signer, TimestampAuthority } from '@libpdf/core';

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
} as const;

/**
 * Returns the DER of a detached CMS signature over a SHA-256 digest for PAdES baseline (ETSI EN 319 142-1
 * §6.3). Content type, message digest and ESS signing-certificate-v2 are signed. The signing time is not,
 * because it belongs in the PDF's dictionary. An authority's timestamp over the signature's value is added if
 * there is an authority (B-T).
 */
export async function signDetached(
  digest: Uint8Array,
  signer: Signer,
  timestamper?: TimestampAuthority,
): Promise<Uint8Array> {
  const chain = [signer.certificate, ...(signer.certificateChain ?? [])].map((der) =>
    pki.Certificate.fromBER(buffer(der)),
  );
  const [certificate] = chain;
  if (!certificate) throw new Error('The signer has no certificate');
  const attributes = inDerOrder([
    new pki.Attribute({ type: OID.contentType, values: [new asn1.ObjectIdentifier({ value: OID.data })] }),
    new pki.Attribute({
      type: OID.messageDigest,
      values: [new asn1.OctetString({ valueHex: buffer(digest) })],
    }),
    new pki.Attribute({
      type: OID.signingCertificateV2,
      values: [signingCertificate(signer.certificate, certificate)],
    }),
  ]);
  const signed = new pki.SignedAndUnsignedAttributes({ type: 0, attributes });
  const toSign = new Uint8Array(signed.toSchema().toBER());
  toSign[0] = 0x31; // signed as a SET, stored as [0] (RFC 5652 §5.4)
  const value = await signer.sign(toSign, 'SHA-256');
  const info = new pki.SignerInfo({
    version: 1,
    sid: new pki.IssuerAndSerialNumber({
      issuer: certificate.issuer,
      serialNumber: certificate.serialNumber,
    }),
    digestAlgorithm: new pki.AlgorithmIdentifier({ algorithmId: OID.sha256 }),
    signedAttrs: signed,
    signatureAlgorithm: signatureAlgorithm(signer),
    signature: new asn1.OctetString({ valueHex: buffer(value) }),
  });
  if (timestamper) info.unsignedAttrs = await timestamped(value, timestamper);
  const data = new pki.SignedData({
    version: 1,
    encapContentInfo: new pki.EncapsulatedContentInfo({ eContentType: OID.data }),
    digestAlgorithms: [new pki.AlgorithmIdentifier({ algorithmId: OID.sha256 })],
    certificates: chain,
    signerInfos: [info],
  });
  const content = new pki.ContentInfo({ contentType: OID.signedData, content: data.toSchema() });
  return new Uint8Array(content.toSchema().toBER());
}

function signatureAlgorithm(signer: Signer): pki.AlgorithmIdentifier {
  if (signer.signatureAlgorithm === 'RSA-PSS') throw new Error('RSA-PSS keys are not supported for sealing');
  return signer.keyType === 'RSA'
    ? new pki.AlgorithmIdentifier({ algorithmId: OID.sha256WithRsa, algorithmParams: new asn1.Null() })
    : new pki.AlgorithmIdentifier({ algorithmId: OID.ecdsaWithSha256 });
}

/** RFC 5035 §3: the hash of the certificate (SHA-256 by default), with its issuer and serial number. */
function signingCertificate(der: Uint8Array, certificate: pki.Certificate): asn1.Sequence {
  const hash = createHash('sha256').update(der).digest();
  const issuerSerial = new pki.IssuerSerial({
    issuer: new pki.GeneralNames({ names: [new pki.GeneralName({ type: 4, value: certificate.issuer })] }),
    serialNumber: certificate.serialNumber,
  });
  const id = new asn1.Sequence({
    value: [new asn1.OctetString({ valueHex: buffer(hash) }), issuerSerial.toSchema()],
  });
  return new asn1.Sequence({ value: [new asn1.Sequence({ value: [id] })] });
}

async function timestamped(
  value: Uint8Array,
  timestamper: TimestampAuthority,
): Promise<pki.SignedAndUnsignedAttributes> {
  const token = await timestamper.timestamp(createHash('sha256').update(value).digest(), 'SHA-256');
  const attribute = new pki.Attribute({
    type: OID.timestampToken,
    values: [asn1.fromBER(buffer(token)).result],
  });
  return new pki.SignedAndUnsignedAttributes({ type: 1, attributes: [attribute] });
}

/** DER requires the members of a SET in the order of their encodings (X.690 §11.6). */
function inDerOrder(attributes: readonly pki.Attribute[]): pki.Attribute[] {
  const encoded = attributes.map((attribute) => ({
    attribute,
    der: Buffer.from(attribute.toSchema().toBER()),
  }));
  return encoded.sort((a, b) => Buffer.compare(a.der, b.der)).map(({ attribute }) => attribute);
}

function buffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
