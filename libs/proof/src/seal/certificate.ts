/** X.509 certificates (RFC 5280) as far as a seal needs them, and the way from one to a trusted root. */
import { sha256 } from '@noble/hashes/sha2.js';
import { equal, toHex } from '../bytes.ts';
import { bitsOf, expectTag, integerOf, oidText, readDer, TAG, type Der } from './der.ts';
import {
  algorithmOf,
  booleanOf,
  extensionsOf,
  Fields,
  nameOf,
  nextTime,
  only,
  versionOf,
  type Extensions,
} from '../fields.ts';
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
  extensions: Extensions;
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

/** Certificate of version 1 or 3 (RFC 5280 §4.1). Throws RangeError for anything else. */
export function readCertificate(bytes: Uint8Array): Certificate {
  const outer = new Fields(readDer(bytes));
  const tbs = outer.next(TAG.sequence);
  const algorithm = algorithmOf(outer.next(TAG.sequence));
  const signature = bitsOf(outer.next(TAG.bitString));
  outer.end();

  const fields = new Fields(tbs);
  const version = fields.optional(0xa0);
  if (version) versionOf(only(version), 2);
  const serial = integerOf(fields.next(TAG.integer));
  const inner = fields.next(TAG.sequence);
  if (!equal(inner.bytes, algorithm.bytes)) throw new RangeError('a certificate with two algorithms');
  const issuer = nameOf(fields.next(TAG.sequence));
  const validity = new Fields(fields.next(TAG.sequence));
  const [notBefore, notAfter] = [nextTime(validity), nextTime(validity)];
  validity.end();
  const subject = nameOf(fields.next(TAG.sequence));
  const spki = keyInfo(fields.next(TAG.sequence));
  const extensions = version ? fields.optional(0xa3) : undefined;
  fields.end();
  return {
    bytes,
    fingerprint: toHex(sha256(bytes)),
    serial,
    issuer,
    subject,
    commonName: commonName(subject),
    notBefore,
    notAfter,
    spki,
    tbs,
    algorithm,
    signature,
    extensions: extensionsOf(extensions && only(extensions)),
  };
}

/** SubjectPublicKeyInfo. */
function keyInfo(der: Der): Der {
  const fields = new Fields(der);
  algorithmOf(fields.next(TAG.sequence));
  bitsOf(fields.next(TAG.bitString));
  fields.end();
  return der;
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
  const [unused = 8, ...bits] = expectTag(readDer(extension.value), TAG.bitString).value;
  if (unused > 7 || bits.length === 0 || ((bits.at(-1) ?? 0) & ((1 << unused) - 1)) !== 0)
    throw new RangeError('a key usage of broken bits');
  return ((bits[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
}

/** Its extended key usages; undefined when it has none. */
export function purposes(certificate: Certificate): string[] | undefined {
  const extension = certificate.extensions.get(OID.extendedKeyUsage);
  if (!extension) return undefined;
  const all = expectTag(readDer(extension.value), TAG.sequence).children.map(oidText);
  if (all.length === 0) throw new RangeError('a list of no purposes');
  return all;
}

/** How many further authorities may follow; undefined when it is not an authority. */
function authorityDepth(certificate: Certificate): number | undefined {
  const extension = certificate.extensions.get(OID.basicConstraints);
  if (!extension) return undefined;
  const fields = new Fields(readDer(extension.value));
  const isAuthority = booleanOf(fields.optional(TAG.boolean));
  const limit = fields.optional(TAG.integer);
  fields.end();
  if (!isAuthority) return undefined;
  return limit ? Number(`0x${toHex(integerOf(limit))}`) : Number.POSITIVE_INFINITY;
}

const isValidAt = (certificate: Certificate, at: Date): boolean =>
  certificate.notBefore <= at && at <= certificate.notAfter;

const MAX_CHAIN = 6;

/**
 * The way from a certificate to a trusted root, all valid at that time; the certificate may be a root
 * itself. Undefined when no such way exists. Each certificate is looked at once, nearest first: the sender of the
 * certificates could have them issue each other, and a longer way to the same certificate is allowed less. A self-signed
 * certificate leads nowhere unless it is a root, even if a root has the same key.
 */
export async function chainTo(
  certificate: Certificate,
  { roots, others, at }: { roots: readonly Certificate[]; others: readonly Certificate[]; at: Date },
): Promise<Certificate[] | undefined> {
  const holds = (one: Certificate): boolean =>
    isValidAt(one, at) && !hasUnknownCritical(one) && isReadable(one);
  const isRoot = ([one]: readonly Certificate[]): boolean =>
    roots.some(({ fingerprint }) => fingerprint === one?.fingerprint);
  const seen = new Set([certificate.fingerprint]);
  /** Each with its newest first, in the order in which they are found. */
  let ways: [Certificate, ...Certificate[]][] = holds(certificate) ? [[certificate]] : [];
  for (let below = 0; ways.length > 0; below += 1) {
    const whole = ways.find(isRoot);
    if (whole) return whole.reverse();
    if (below === MAX_CHAIN) return undefined;
    const longer: typeof ways = [];
    for (const way of ways) {
      if (await isIssuedBy(way[0], way[0])) continue;
      for (const issuer of [...roots, ...others]) {
        if (seen.has(issuer.fingerprint) || !holds(issuer) || !mayIssue(issuer, way[0], below)) continue;
        if (!(await isIssuedBy(way[0], issuer))) continue;
        seen.add(issuer.fingerprint);
        longer.push([issuer, ...way]);
      }
    }
    ways = longer;
  }
  return undefined;
}

/** Whether the issuer's extensions let it issue this certificate, with so many below it. */
function mayIssue(issuer: Certificate, issued: Certificate, below: number): boolean {
  if (!equal(issuer.subject.bytes, issued.issuer.bytes)) return false;
  const depth = authorityDepth(issuer);
  return depth !== undefined && depth >= below && allowsUsage(issuer, KEY_CERT_SIGN);
}

const hasUnknownCritical = (certificate: Certificate): boolean =>
  [...certificate.extensions].some(([oid, { critical }]) => critical && !KNOWN_CRITICAL.has(oid));

/** Whether what it says about the use of its key can be read, also where nobody asks for that use. */
function isReadable(certificate: Certificate): boolean {
  try {
    authorityDepth(certificate);
    purposes(certificate);
    allowsUsage(certificate, DIGITAL_SIGNATURE);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

async function isIssuedBy(certificate: Certificate, issuer: Certificate): Promise<boolean> {
  const { algorithm, tbs, signature } = certificate;
  try {
    return await isSignedBy(issuer.spki, { algorithm, data: tbs.bytes, signature });
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
