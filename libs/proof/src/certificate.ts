/** X.509 certificates (RFC 5280) as far as a seal needs them, and the way from one to a trusted root. */
import { sha256 } from '@noble/hashes/sha2.js';
import { equal, toHex } from './bytes.ts';
import { bitsOf, childOf, expectTag, oidText, readDer, TAG, timeOf, type Der } from './der.ts';
import { isSignedBy } from './signature-check.ts';

export type Certificate = {
  bytes: Uint8Array;
  /** Hex SHA-256 of `bytes`. */
  fingerprint: string;
  serial: Uint8Array;
  issuer: Der;
  subject: Der;
  commonName: string;
  notBefore: Date;
  notAfter: Date;
  spki: Der;
  /** What the issuer signed, and how. */
  tbs: Der;
  algorithm: Der;
  signature: Uint8Array;
  extensions: ReadonlyMap<string, { critical: boolean; value: Uint8Array }>;
};

const OID = {
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const;
/** Extensions that may be critical, because they are looked at here or only narrow what does not concern a seal. */
const KNOWN_CRITICAL: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.basicConstraints,
  OID.extendedKeyUsage,
  '2.5.29.32', // certificate policies
]);
const KEY_CERT_SIGN = 5;
export const CRL_SIGN = 6;
export const DIGITAL_SIGNATURE = 0;
export const NON_REPUDIATION = 1;

/** Throws RangeError for what is no certificate in DER. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const outer = expectTag(readDer(bytes), TAG.sequence);
  const tbs = childOf(outer, 0, TAG.sequence);
  const fields = tbs.children[0]?.tag === 0xa0 ? tbs.children.slice(1) : tbs.children;
  const [serial, inner, issuer, validity, subject, spki] = fields;
  const algorithm = childOf(outer, 1, TAG.sequence);
  if (!issuer || !subject || !spki || !inner || !equal(inner.bytes, algorithm.bytes)) {
    throw new RangeError('not a certificate');
  }
  return {
    bytes,
    fingerprint: toHex(sha256(bytes)),
    serial: expectTag(serial, TAG.integer).value,
    issuer: expectTag(issuer, TAG.sequence),
    subject: expectTag(subject, TAG.sequence),
    commonName: commonName(subject),
    notBefore: timeOf(validity?.children[0]),
    notAfter: timeOf(validity?.children[1]),
    spki: expectTag(spki, TAG.sequence),
    tbs,
    algorithm,
    signature: bitsOf(outer.children[2]),
    extensions: extensionsOf(fields.find((field) => field.tag === 0xa3)),
  };
}

function extensionsOf(field: Der | undefined): Certificate['extensions'] {
  const found = new Map<string, { critical: boolean; value: Uint8Array }>();
  for (const { children } of field?.children[0]?.children ?? []) {
    const oid = oidText(children[0]);
    const critical = children[1]?.tag === TAG.boolean && children[1].value[0] === 0xff;
    const value = expectTag(children.at(-1), TAG.octetString).value;
    if (found.has(oid)) throw new RangeError('an extension twice');
    found.set(oid, { critical, value });
  }
  return found;
}

function commonName(name: Der): string {
  for (const set of name.children) {
    for (const { children } of set.children) {
      if (oidText(children[0]) === OID.commonName && children[1]) {
        return new TextDecoder().decode(children[1].value);
      }
    }
  }
  return '';
}

/** May its key be used for this bit of keyUsage? True when the certificate does not say. */
export function allowsUsage(certificate: Certificate, bit: number): boolean {
  const extension = certificate.extensions.get(OID.keyUsage);
  if (!extension) return true;
  const [, ...bits] = expectTag(readDer(extension.value), TAG.bitString).value;
  return ((bits[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
}

/** Its extended key usages; undefined when it has none. */
export function purposes(certificate: Certificate): string[] | undefined {
  const extension = certificate.extensions.get(OID.extendedKeyUsage);
  return extension && readDer(extension.value).children.map(oidText);
}

/** How many further authorities may follow; undefined when it is no authority. */
function authorityDepth(certificate: Certificate): number | undefined {
  const extension = certificate.extensions.get(OID.basicConstraints);
  if (!extension) return undefined;
  const [isAuthority, limit] = readDer(extension.value).children;
  if (isAuthority?.tag !== TAG.boolean || isAuthority.value[0] !== 0xff) return undefined;
  return limit ? Number(`0x${toHex(limit.value)}`) : Number.POSITIVE_INFINITY;
}

const isValidAt = (certificate: Certificate, at: Date): boolean =>
  certificate.notBefore <= at && at <= certificate.notAfter;

const MAX_CHAIN = 6;

/**
 * The way from a certificate to a trusted root, all valid at that time; the certificate may be a root
 * itself. Undefined when there is none.
 */
export async function chainTo(
  certificate: Certificate,
  options: { roots: readonly Certificate[]; others: readonly Certificate[]; at: Date },
  below = 0,
): Promise<Certificate[] | undefined> {
  const { roots, others, at } = options;
  if (!isValidAt(certificate, at) || hasUnknownCritical(certificate)) return undefined;
  if (roots.some((root) => root.fingerprint === certificate.fingerprint)) return [certificate];
  if (below >= MAX_CHAIN) return undefined;
  for (const issuer of [...roots, ...others]) {
    if (!equal(issuer.subject.bytes, certificate.issuer.bytes)) continue;
    const depth = authorityDepth(issuer);
    if (depth === undefined || depth < below || !allowsUsage(issuer, KEY_CERT_SIGN)) continue;
    if (!(await isIssuedBy(certificate, issuer))) continue;
    const rest = await chainTo(issuer, options, below + 1);
    if (rest) return [certificate, ...rest];
  }
  return undefined;
}

const hasUnknownCritical = (certificate: Certificate): boolean =>
  [...certificate.extensions].some(([oid, { critical }]) => critical && !KNOWN_CRITICAL.has(oid));

async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { algorithm, tbs, signature } = certificate;
  try {
    return await isSignedBy(issuer.spki, { algorithm, data: tbs.bytes, signature });
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
