/** CMS signatures (RFC 5652) of one signer, as PAdES and RFC 3161 use them, read strictly and verified. */
import { equal } from './bytes.ts';
import { readCertificate, type Certificate } from './certificate.ts';
import { childOf, expectTag, oidText, readDer, TAG, type Der } from './der.ts';
import { digest, hashOf, isSignedBy } from './signature-check.ts';

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const;

export type SignedData = {
  /** Object identifier of what is signed. */
  contentType: string;
  /** What is signed, when it stands inside. */
  content: Uint8Array | undefined;
  certificates: Certificate[];
  signer: Certificate;
  signature: Uint8Array;
  /** Unsigned attributes by their object identifier, with their single value. */
  unsigned: ReadonlyMap<string, Der>;
  /** Checks everything against the content's digest (or the content inside). */
  verify: (contentDigest?: Uint8Array) => Promise<CmsResult>;
};

export type CmsResult = {
  /** The signature is the signer's, over exactly this content. */
  signature: boolean;
  /** What is signed names the signer's certificate (ESS signing-certificate). */
  boundToCertificate: boolean;
};

/** Throws RangeError for what is no such signature. */
export function readSignedData(der: Der): SignedData {
  if (der.tag !== TAG.sequence || oidText(der.children[0]) !== OID.signedData) {
    throw new RangeError('not a CMS signature');
  }
  const data = childOf(childOf(der, 1, 0xa0), 0, TAG.sequence);
  const [, , encapsulated, ...rest] = data.children;
  const contentType = oidText(encapsulated?.children[0]);
  const content = encapsulated?.children[1]?.children[0];
  const certificates = (rest.find((one) => one.tag === 0xa0)?.children ?? []).map((one) =>
    readCertificate(one.bytes),
  );
  const infos = expectTag(rest.at(-1), TAG.set).children;
  const [info, ...more] = infos;
  if (!info || more.length > 0) throw new RangeError('not exactly one signer');
  const fields = info.children;
  const [, signerId, digestAlgorithm] = fields;
  const signedAttributes = fields.find((one) => one.tag === 0xa0);
  const algorithm = fields[signedAttributes ? 4 : 3];
  const signature = fields[signedAttributes ? 5 : 4];
  const unsignedAttributes = fields.find((one) => one.tag === 0xa1);
  if (
    !signerId ||
    !digestAlgorithm ||
    !signedAttributes ||
    !algorithm ||
    signature?.tag !== TAG.octetString
  ) {
    throw new RangeError('a signer without signed attributes');
  }
  const signer = signerOf(signerId, certificates);
  const signed = attributes(signedAttributes);

  return {
    contentType,
    content: content && expectTag(content, TAG.octetString).value,
    certificates,
    signer,
    signature: signature.value,
    unsigned: unsignedAttributes ? attributes(unsignedAttributes) : new Map(),
    async verify(contentDigest) {
      const hash = hashOf(digestAlgorithm);
      const wanted = contentDigest ?? (content && digest(hash, content.value));
      const stated = signed.get(OID.messageDigest);
      // A digest from outside is SHA-256; another algorithm's would never be equal to it.
      const matches = wanted !== undefined && stated?.tag === TAG.octetString && equal(stated.value, wanted);
      const sameType = oidText(signed.get(OID.contentType)) === contentType;
      const set = Uint8Array.from(signedAttributes.bytes);
      set[0] = TAG.set; // signed as a SET, stored as [0] (RFC 5652 §5.4)
      const genuine = await isSignedBy(signer.spki, {
        algorithm,
        digestHash: hash,
        data: set,
        signature: signature.value,
      });
      return {
        signature: matches && sameType && genuine,
        boundToCertificate: isBound(signed, signer),
      };
    },
  };
}

/** By issuer and serial number; exactly one certificate must fit (some authorities send theirs twice). */
function signerOf(signerId: Der, certificates: readonly Certificate[]): Certificate {
  const issuer = childOf(signerId, 0, TAG.sequence);
  const serial = childOf(signerId, 1, TAG.integer);
  const fitting = certificates.filter(
    (one) => equal(one.issuer.bytes, issuer.bytes) && equal(one.serial, serial.value),
  );
  const [found, ...others] = fitting;
  const more = others.filter((one) => one.fingerprint !== found?.fingerprint);
  if (!found || more.length > 0) throw new RangeError('the signer’s certificate is not there');
  return found;
}

function attributes(set: Der): Map<string, Der> {
  const found = new Map<string, Der>();
  for (const attribute of set.children) {
    const oid = oidText(attribute.children[0]);
    const values = childOf(attribute, 1, TAG.set).children;
    const [value, ...more] = values;
    if (!value || more.length > 0 || found.has(oid)) throw new RangeError('an attribute twice or empty');
    found.set(oid, value);
  }
  return found;
}

/** RFC 5035: the first certificate id is the signer's. Version 1 (SHA-1) is still what many authorities send. */
function isBound(signed: ReadonlyMap<string, Der>, signer: Certificate): boolean {
  const v2 = signed.get(OID.signingCertificateV2);
  const v1 = signed.get(OID.signingCertificate);
  const id = (v2 ?? v1)?.children[0]?.children[0];
  if (!id) return false;
  const [first, second] = id.children;
  const named = v2 !== undefined && first?.tag === TAG.sequence;
  const stated = expectTag(named ? second : first, TAG.octetString).value;
  const hash = v2 === undefined ? 'SHA-1' : named && first ? hashOf(first) : 'SHA-256';
  if (!equal(stated, digest(hash, signer.bytes))) return false;
  const issuerSerial = id.children.find((one, i) => i > 0 && one.tag === TAG.sequence && one !== first);
  return !issuerSerial || equal(childOf(issuerSerial, 1, TAG.integer).value, signer.serial);
}

/** Reads a signature from bytes; throws RangeError. */
export const readSignature = (bytes: Uint8Array): SignedData => readSignedData(readDer(bytes));
