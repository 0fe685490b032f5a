/** X.509 certificates (RFC 5280) as far as seals need them, and chains to a trusted root. */
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
  stringOf,
  versionOf,
  type Extensions,
} from '../fields.ts';
import { keyIdentifiers, looksSelfSigned, mayBeFrom } from './key-identifiers.ts';
import { isSignedBy } from './signature-check.ts';

export type Certificate = {
  bytes: Uint8Array;
  fingerprint: string;
  serial: Uint8Array;
  issuer: Der;
  subject: Der;
  commonName: string;
  notBefore: Date;
  notAfter: Date;
  spki: Der;
  /** The signed part; the next two fields are its algorithm and signature. */
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
/** Extensions that may be critical, because they are checked here or do not matter for a seal. */
const KNOWN_CRITICAL: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.basicConstraints,
  OID.extendedKeyUsage,
  '2.5.29.32', // certificate policies
]);
/** Extensions that restrict a certificate in ways that are not checked here, so that they must be absent. */
const RESTRICTING: ReadonlySet<string> = new Set([
  '2.5.29.30', // name constraints
  '1.3.6.1.5.5.7.1.14', // proxy certificates
]);
const KEY_CERT_SIGN = 5;
export const CRL_SIGN = 6;
export const DIGITAL_SIGNATURE = 0;
export const NON_REPUDIATION = 1;

/**
 * Parses a certificate of version 1 or 3 (RFC 5280 §4.1).
 * @throws RangeError for anything else
 */
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
      if (oidText(children[0]) === OID.commonName) return stringOf(children[1]);
    }
  }
  return '';
}

/** Returns true if the key may be used for this bit of keyUsage, and if the certificate has no keyUsage. */
export function allowsUsage(certificate: Certificate, bit: number): boolean {
  const extension = certificate.extensions.get(OID.keyUsage);
  if (!extension) return true;
  const [unused = 8, ...bits] = expectTag(readDer(extension.value), TAG.bitString).value;
  if (unused > 7 || bits.every((byte) => byte === 0) || ((bits.at(-1) ?? 0) & ((1 << unused) - 1)) !== 0)
    throw new RangeError('a key usage of broken bits');
  return ((bits[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
}

/** Returns true if the key may be used for one of these bits of keyUsage and for no other. */
export function allowsOnly(certificate: Certificate, bits: readonly number[]): boolean {
  if (!certificate.extensions.has(OID.keyUsage)) return true;
  const set = Array.from({ length: 9 }, (_, bit) => bit).filter((bit) => allowsUsage(certificate, bit));
  return set.length > 0 && set.every((bit) => bits.includes(bit));
}

/** Returns the extended key usages; undefined for a certificate without the extension. */
export function purposes(certificate: Certificate): string[] | undefined {
  const extension = certificate.extensions.get(OID.extendedKeyUsage);
  if (!extension) return undefined;
  const all = expectTag(readDer(extension.value), TAG.sequence).children.map(oidText);
  if (all.length === 0) throw new RangeError('a list of no purposes');
  return all;
}

/** Returns how many further authorities may follow; undefined if it is not an authority. */
function authorityDepth(certificate: Certificate): number | undefined {
  const extension = certificate.extensions.get(OID.basicConstraints);
  if (!extension) return undefined;
  const fields = new Fields(readDer(extension.value));
  const isAuthority = booleanOf(fields.optional(TAG.boolean));
  const limit = fields.optional(TAG.integer);
  fields.end();
  if (limit && (limit.value[0] ?? 0) & 0x80) throw new RangeError('a negative number of authorities');
  if (!isAuthority) return undefined;
  return limit ? Number(`0x${toHex(integerOf(limit))}`) : Number.POSITIVE_INFINITY;
}

/** Returns true for a certificate that may issue others. @throws RangeError for unreadable constraints */
export const isAuthority = (certificate: Certificate): boolean => authorityDepth(certificate) !== undefined;

const isValidAt = (certificate: Certificate, at: Date): boolean =>
  certificate.notBefore <= at && at <= certificate.notAfter;

const MAX_CHAIN = 6;

/**
 * Returns the chain from a certificate to a trusted root, all valid at that time; the certificate may itself
 * be a root. Returns undefined without a chain. Each certificate is visited once, nearest first, because a
 * sender's certificates could issue each other.
 * A certificate that is or looks self-signed leads nowhere unless it is a root, even if a root has the same
 * key.
 */
export async function chainTo(
  certificate: Certificate,
  { roots, others, at }: { roots: readonly Certificate[]; others: readonly Certificate[]; at: Date },
): Promise<Certificate[] | undefined> {
  const holds = (one: Certificate): boolean => isValidAt(one, at) && !isRestricted(one) && isReadable(one);
  const isRoot = ([one]: readonly Certificate[]): boolean =>
    roots.some(({ fingerprint }) => fingerprint === one?.fingerprint);
  const seen = new Set([certificate.fingerprint]);
  /** Each chain begins with its newest certificate. */
  let ways: [Certificate, ...Certificate[]][] = holds(certificate) ? [[certificate]] : [];
  for (let length = 1; ways.length > 0; length += 1) {
    const whole = ways.find(isRoot);
    if (whole) return whole.reverse();
    if (length > MAX_CHAIN) return undefined;
    const longer: typeof ways = [];
    for (const way of ways) {
      if (looksSelfSigned(way[0]) || (await isIssuedBy(way[0], way[0]))) continue;
      const below = way.slice(0, -1).filter((one) => !isSelfIssued(one)).length;
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

/**
 * Returns true if the issuer's extensions allow it to issue this certificate, with this number of authorities
 * below.
 */
function mayIssue(issuer: Certificate, issued: Certificate, below: number): boolean {
  if (!equal(issuer.subject.bytes, issued.issuer.bytes) || !mayBeFrom(issued.extensions, issuer))
    return false;
  const depth = authorityDepth(issuer);
  return depth !== undefined && depth >= below && allowsUsage(issuer, KEY_CERT_SIGN);
}

/** Self-issued authorities, such as a new key under the same name, do not count (RFC 5280 §6.1.4). */
const isSelfIssued = ({ subject, issuer }: Certificate): boolean => equal(subject.bytes, issuer.bytes);

const isRestricted = (certificate: Certificate): boolean =>
  [...certificate.extensions].some(
    ([oid, { critical }]) => RESTRICTING.has(oid) || (critical && !KNOWN_CRITICAL.has(oid)),
  );

/** Returns true if its extensions that are used here are readable, even if no caller needs them. */
function isReadable(certificate: Certificate): boolean {
  try {
    authorityDepth(certificate);
    purposes(certificate);
    allowsUsage(certificate, DIGITAL_SIGNATURE);
    keyIdentifiers(certificate.extensions);
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
