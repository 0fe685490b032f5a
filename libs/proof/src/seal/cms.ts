/** CMS signatures (RFC 5652) of one signer, as in PAdES and RFC 3161, parsed strictly and verified. */
import { equal } from '../bytes.ts';
import { readCertificate, type Certificate } from './certificate.ts';
import { expectTag, integerOf, oidText, readDer, TAG, type Der } from './der.ts';
import { algorithmOf, Fields, nameOf, only, versionOf } from '../fields.ts';
import { digest, hashOf, isSignedBy } from './signature-check.ts';

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const;

export type SignedData = {
  contentType: string;
  /** The content, unless it is detached. */
  content: Uint8Array | undefined;
  certificates: Certificate[];
  signer: Certificate;
  signature: Uint8Array;
  /** Unsigned attributes by object identifier, each with its single value. */
  unsigned: ReadonlyMap<string, Der>;
  /** Verifies everything against the content's SHA-256, or without it against the content inside. */
  verify: (contentSha256?: Uint8Array) => Promise<CmsResult>;
};

export type CmsResult = {
  /** True if the signer signed exactly this content. */
  signature: boolean;
  /** True if the signed attributes name the signer's certificate (ESS signing-certificate). */
  boundToCertificate: boolean;
  /** Returns true if the other named certificates are in this chain, which begins with the signer's. */
  allows: (chain: readonly Certificate[]) => boolean;
};

/**
 * More than the chains of a seal or a timestamp have. A limit, because each may have to be compared with
 * each.
 */
const MAX_CERTIFICATES = 16;

/**
 * Parses a ContentInfo with SignedData of one signer (RFC 5652 §3, §5).
 * @throws RangeError for anything else
 */
export function readSignedData(der: Der): SignedData {
  const info = new Fields(der);
  if (oidText(info.next(TAG.oid)) !== OID.signedData) throw new RangeError('not a CMS signature');
  const fields = new Fields(only(info.next(0xa0)));
  info.end();
  versionOf(fields.next(TAG.integer), 1, 3, 4, 5);
  const digests = fields.next(TAG.set).children.map(algorithmOf);
  const { contentType, content } = encapsulated(fields.next(TAG.sequence));
  const given = fields.optional(0xa0)?.children ?? [];
  if (given.length > MAX_CERTIFICATES) throw new RangeError('more certificates than any chain has');
  const certificates = given.map(({ bytes }) => readCertificate(bytes));
  fields.optional(0xa1);
  const signerInfo = readSigner(only(fields.next(TAG.set)));
  fields.end();
  const { signerId, digestAlgorithm, signedAttributes, algorithm, signature, unsignedAttributes } =
    signerInfo;
  const digestOid = oidText(digestAlgorithm.children[0]);
  if (!digests.some(({ children }) => oidText(children[0]) === digestOid))
    throw new RangeError('a digest algorithm that was not announced');
  const signer = signerOf(signerId, certificates);
  const signed = attributes(signedAttributes);

  return {
    contentType,
    content: content?.value,
    certificates,
    signer,
    signature: signature.value,
    unsigned: unsignedAttributes ? attributes(unsignedAttributes) : new Map(),
    async verify(contentSha256) {
      const hash = hashOf(digestAlgorithm);
      // A SHA-256 under the name of another hash is not the digest that CMS requires.
      const outer = hash === 'SHA-256' ? contentSha256 : undefined;
      const wanted = contentSha256 ? outer : content && digest(hash, content.value);
      const stated = signed.get(OID.messageDigest);
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
      const [own, ...others] = namedCertificates(signed);
      return {
        signature: matches && sameType && genuine,
        boundToCertificate: own?.(signer) ?? false,
        allows: (chain) => others.every((isNamed) => chain.slice(1).some(isNamed)),
      };
    },
  };
}

/** Parses EncapsulatedContentInfo, with or without the content. */
function encapsulated(der: Der): { contentType: string; content: Der | undefined } {
  const fields = new Fields(der);
  const contentType = oidText(fields.next(TAG.oid));
  const inside = fields.optional(0xa0);
  fields.end();
  return { contentType, content: inside && expectTag(only(inside), TAG.octetString) };
}

/** Parses a SignerInfo that identifies its certificate by issuer and number, and has signed attributes. */
function readSigner(der: Der) {
  const fields = new Fields(der);
  versionOf(fields.next(TAG.integer), 1);
  const signerId = fields.next(TAG.sequence);
  const digestAlgorithm = algorithmOf(fields.next(TAG.sequence));
  const signedAttributes = fields.next(0xa0);
  const algorithm = algorithmOf(fields.next(TAG.sequence));
  const signature = fields.next(TAG.octetString);
  const unsignedAttributes = fields.optional(0xa1);
  fields.end();
  return { signerId, digestAlgorithm, signedAttributes, algorithm, signature, unsignedAttributes };
}

/**
 * Finds the certificate by issuer and serial number. Exactly one must match (some authorities send theirs
 * twice).
 */
function signerOf(signerId: Der, certificates: readonly Certificate[]): Certificate {
  const fields = new Fields(signerId);
  const issuer = nameOf(fields.next(TAG.sequence));
  const serial = integerOf(fields.next(TAG.integer));
  fields.end();
  const fitting = certificates.filter(
    (one) => equal(one.issuer.bytes, issuer.bytes) && equal(one.serial, serial),
  );
  const [found, ...others] = fitting;
  const more = others.filter((one) => one.fingerprint !== found?.fingerprint);
  if (!found || more.length > 0) throw new RangeError('the signer’s certificate is not there');
  return found;
}

function attributes(set: Der): Map<string, Der> {
  const found = new Map<string, Der>();
  for (const attribute of set.children) {
    const fields = new Fields(attribute);
    const oid = oidText(fields.next(TAG.oid));
    const value = only(fields.next(TAG.set));
    fields.end();
    if (found.has(oid)) throw new RangeError('an attribute twice');
    found.set(oid, value);
  }
  return found;
}

/**
 * Returns matchers for the named certificates, the signer's first (RFC 5035 §3). Many authorities still send
 * version 1 (SHA-1).
 * @throws RangeError for unreadable values
 */
function namedCertificates(signed: ReadonlyMap<string, Der>): ((certificate: Certificate) => boolean)[] {
  const v2 = signed.get(OID.signingCertificateV2);
  const stated = v2 ?? signed.get(OID.signingCertificate);
  if (!stated) return [];
  const list = new Fields(stated);
  const ids = list.next(TAG.sequence).children;
  for (const policy of list.optional(TAG.sequence)?.children ?? []) {
    const fields = new Fields(policy);
    fields.next(TAG.oid);
    fields.optional(TAG.sequence);
    fields.end();
  }
  list.end();
  return ids.map((one) => {
    const id = new Fields(one);
    const algorithm = v2 && id.optional(TAG.sequence);
    const hash = !v2 ? 'SHA-1' : algorithm ? hashOf(algorithmOf(algorithm)) : 'SHA-256';
    const fingerprint = id.next(TAG.octetString).value;
    const issuerSerial = id.optional(TAG.sequence);
    id.end();
    const serial = issuerSerial && serialOf(issuerSerial);
    return (certificate) =>
      equal(fingerprint, digest(hash, certificate.bytes)) && (!serial || equal(serial, certificate.serial));
  });
}

function serialOf(der: Der): Uint8Array {
  const fields = new Fields(der);
  fields.next(TAG.sequence);
  const serial = integerOf(fields.next(TAG.integer));
  fields.end();
  return serial;
}

/**
 * Parses the DER of a CMS signature as `readSignedData` does.
 * @throws RangeError for anything else
 */
export const readSignature = (bytes: Uint8Array): SignedData => readSignedData(readDer(bytes));
