/**
 * Checks whether a certificate was valid at a time, with certificate revocation lists (RFC 5280 §5) and OCSP
 * answers (RFC 6960) from an untrusted source: parsed strictly, verified, and counted only for their own
 * certificate.
 */
import { equal } from '../bytes.ts';
import {
  allowsUsage,
  chainTo,
  CRL_SIGN,
  DIGITAL_SIGNATURE,
  purposes,
  readCertificate,
  type Certificate,
} from './certificate.ts';
import { bitsOf, expectTag, integerOf, oidText, readDer, TAG, timeOf, type Der } from './der.ts';
import {
  algorithmOf,
  extensionsOf,
  Fields,
  nameOf,
  nextTime,
  only,
  plainAlgorithm,
  versionOf,
  type Extensions,
} from '../fields.ts';
import { mayBeFrom } from './key-identifiers.ts';
import { digest, hashOf, isSignedBy } from './signature-check.ts';

/** DER of OCSP answers and revocation lists, as in a DSS dictionary. */
export type RevocationValues = { ocsps: readonly Uint8Array[]; crls: readonly Uint8Array[] };

const OID = {
  sha1: '1.3.14.3.2.26',
  basicOcsp: '1.3.6.1.5.5.7.48.1.1',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  issuingDistributionPoint: '2.5.29.28',
  listNumber: '2.5.29.20',
  reason: '2.5.29.21',
  changesOnly: '2.5.29.27', // deltaCRLIndicator
  otherIssuer: '2.5.29.29', // certificateIssuer of an entry
} as const;
/** Fields of an issuing distribution point that restrict a list, so that a missing number proves nothing. */
const NARROWING = [0xa3, 0x84, 0x85];
const ENUMERATED = 0x0a;
const [GOOD, REVOKED, UNKNOWN] = [0x80, 0xa1, 0x82] as const;
const SKEW_MS = 5 * 60_000;

/** Returns the status of one certificate; `unknown` if no valid value is about it. */
export async function revocationState(
  certificate: Certificate,
  issuer: Certificate,
  { values, at }: { values: RevocationValues; at: Date },
): Promise<'good' | 'revoked' | 'unknown'> {
  let state: 'good' | 'unknown' = 'unknown';
  const findings = [
    ...values.ocsps.map((der) => () => byOcsp(der, { certificate, issuer, at })),
    ...values.crls.map((der) => () => byList(der, { certificate, issuer, at })),
  ];
  for (const find of findings) {
    const found = await find().catch((error: unknown) => {
      if (error instanceof RangeError) return 'unknown' as const;
      throw error;
    });
    if (found === 'revoked') return 'revoked';
    if (found === 'good') state = 'good';
  }
  return state;
}

/**
 * Returns why a chain (its certificate first, its root last) was not valid at that time by these values; ''
 * if it was valid. The root is trusted by itself.
 */
export async function revocationFault(
  chain: readonly Certificate[],
  given: { values: RevocationValues; at: Date },
): Promise<string> {
  for (const [i, certificate] of chain.slice(0, -1).entries()) {
    const issuer = chain[i + 1];
    const state = issuer ? await revocationState(certificate, issuer, given) : 'unknown';
    if (state === 'revoked') return `the certificate of ${certificate.commonName} had been revoked`;
    if (state === 'unknown')
      return `nothing tells whether the certificate of ${certificate.commonName} was revoked`;
  }
  return '';
}

type Question = { certificate: Certificate; issuer: Certificate; at: Date };

/** Returns true if it was issued before that time and had not expired. */
function isCurrent(thisUpdate: Date, nextUpdate: Date | undefined, at: Date): boolean {
  return thisUpdate.getTime() <= at.getTime() + SKEW_MS && (!nextUpdate || nextUpdate >= at);
}

async function byList(bytes: Uint8Array, { certificate, issuer, at }: Question) {
  const list = readList(bytes);
  if (!equal(list.issuer.bytes, issuer.subject.bytes) || !equal(list.issuer.bytes, certificate.issuer.bytes))
    return 'unknown';
  if (!mayBeFrom(list.extensions, issuer)) return 'unknown';
  if (narrows(list.extensions) || !isCurrent(list.thisUpdate, list.nextUpdate, at)) return 'unknown';
  if (!allowsUsage(issuer, CRL_SIGN) || !(await isSignedBy(issuer.spki, list))) return 'unknown';
  const entry = list.revoked.find(({ serial }) => equal(serial, certificate.serial));
  return entry && entry.since <= at ? 'revoked' : 'good';
}

/**
 * Parses a CertificateList (RFC 5280 §5.1).
 * @throws RangeError for anything else, and for an entry with a critical extension
 */
function readList(bytes: Uint8Array) {
  const outer = new Fields(readDer(bytes));
  const body = outer.next(TAG.sequence);
  const algorithm = algorithmOf(outer.next(TAG.sequence));
  const signature = bitsOf(outer.next(TAG.bitString));
  outer.end();
  const fields = new Fields(body);
  const version = fields.optional(TAG.integer);
  if (version) versionOf(version, 1);
  if (!equal(fields.next(TAG.sequence).bytes, algorithm.bytes))
    throw new RangeError('a list with two algorithms');
  const issuer = nameOf(fields.next(TAG.sequence));
  const thisUpdate = nextTime(fields);
  const next = fields.optional(TAG.utcTime, TAG.generalizedTime);
  const revoked = (fields.optional(TAG.sequence)?.children ?? []).map(readEntry);
  const extensions = version && fields.optional(0xa0);
  fields.end();
  return {
    data: body.bytes,
    algorithm,
    signature,
    issuer,
    thisUpdate,
    nextUpdate: next && timeOf(next),
    revoked,
    extensions: extensionsOf(extensions && only(extensions)),
  };
}

function readEntry(der: Der): { serial: Uint8Array; since: Date } {
  const fields = new Fields(der);
  const serial = integerOf(fields.next(TAG.integer));
  const since = nextTime(fields);
  const extensions = extensionsOf(fields.optional(TAG.sequence));
  fields.end();
  if (extensions.has(OID.otherIssuer) || [...extensions.values()].some(({ critical }) => critical))
    throw new RangeError('an entry with conditions');
  const reason = extensions.get(OID.reason);
  if (reason) expectTag(readDer(reason.value), ENUMERATED);
  return { serial, since };
}

/**
 * Returns true for a list of only some certificates or of changes, and for an unknown critical extension.
 * @throws RangeError for an unreadable number
 */
function narrows(extensions: Extensions): boolean {
  const number = extensions.get(OID.listNumber);
  if (number) integerOf(readDer(number.value));
  if (extensions.has(OID.changesOnly)) return true;
  return [...extensions].some(([oid, { critical, value }]) =>
    oid === OID.issuingDistributionPoint
      ? expectTag(readDer(value), TAG.sequence).children.some(({ tag }) => NARROWING.includes(tag))
      : critical,
  );
}

async function byOcsp(bytes: Uint8Array, question: Question) {
  const { issuer, at } = question;
  const basic = readAnswer(bytes);
  if (!basic) return 'unknown';
  const about = basic.answers.find(({ id }) => isAbout(id, question));
  if (!about || !isCurrent(about.thisUpdate, about.nextUpdate, at)) return 'unknown';
  const responder = await responderOf(basic, issuer);
  if (!responder || !(await isSignedBy(responder.spki, basic))) return 'unknown';
  if (about.since === undefined) return about.verdict;
  return about.since <= at ? 'revoked' : 'good';
}

/**
 * Parses a Basic OCSP response (RFC 6960 §4.2.1); undefined for an error status.
 * @throws RangeError
 */
function readAnswer(bytes: Uint8Array): Answer | undefined {
  const outer = new Fields(readDer(bytes));
  const status = outer.next(ENUMERATED).value;
  const answer = outer.optional(0xa0);
  outer.end();
  if (status.length !== 1 || status[0] !== 0 || !answer) return undefined;
  const typed = new Fields(only(answer));
  if (oidText(typed.next(TAG.oid)) !== OID.basicOcsp) throw new RangeError('another kind of OCSP answer');
  const basic = new Fields(readDer(typed.next(TAG.octetString).value));
  typed.end();
  const body = basic.next(TAG.sequence);
  const algorithm = algorithmOf(basic.next(TAG.sequence));
  const signature = bitsOf(basic.next(TAG.bitString));
  const given = basic.optional(0xa0);
  basic.end();

  const fields = new Fields(body);
  const version = fields.optional(0xa0);
  if (version) versionOf(only(version), 0);
  const by = fields.next(0xa1, 0xa2);
  const producedAt = timeOf(fields.next(TAG.generalizedTime));
  const answers = fields.next(TAG.sequence).children.map(readSingle);
  const extensions = fields.optional(0xa1);
  fields.end();
  refuseCritical(extensions);
  return {
    data: body.bytes,
    algorithm,
    signature,
    by: by.tag === 0xa1 ? { name: nameOf(only(by)) } : { key: expectTag(only(by), TAG.octetString).value },
    producedAt,
    answers,
    certificates: given ? expectTag(only(given), TAG.sequence).children : [],
  };
}

type Answer = {
  data: Uint8Array;
  algorithm: Der;
  signature: Uint8Array;
  by: { name: Der } | { key: Uint8Array };
  producedAt: Date;
  answers: readonly Single[];
  certificates: readonly Der[];
};
type Single = {
  id: CertId;
  verdict: 'good' | 'unknown';
  since: Date | undefined;
  thisUpdate: Date;
  nextUpdate: Date | undefined;
};

function readSingle(der: Der): Single {
  const fields = new Fields(der);
  const id = readId(fields.next(TAG.sequence));
  const verdict = fields.next(GOOD, REVOKED, UNKNOWN);
  const thisUpdate = timeOf(fields.next(TAG.generalizedTime));
  const next = fields.optional(0xa0);
  const extensions = fields.optional(0xa1);
  fields.end();
  refuseCritical(extensions);
  if (verdict.tag !== REVOKED && verdict.value.length > 0) throw new RangeError('a verdict with more inside');
  return {
    id,
    verdict: verdict.tag === GOOD ? 'good' : 'unknown',
    since: verdict.tag === REVOKED ? revokedSince(verdict) : undefined,
    thisUpdate,
    nextUpdate: next && timeOf(expectTag(only(next), TAG.generalizedTime)),
  };
}

function revokedSince(verdict: Der): Date {
  const fields = new Fields(verdict, REVOKED);
  const since = timeOf(fields.next(TAG.generalizedTime));
  const reason = fields.optional(0xa0);
  if (reason) expectTag(only(reason), ENUMERATED);
  fields.end();
  return since;
}

function refuseCritical(extensions: Der | undefined): void {
  const all = extensionsOf(extensions && only(extensions));
  if ([...all.values()].some(({ critical }) => critical)) throw new RangeError('an answer with conditions');
}

/**
 * Parses a CertID (RFC 6960 §4.1.1).
 * @throws RangeError for anything else
 */
function readId(der: Der): CertId {
  const fields = new Fields(der);
  const algorithm = algorithmOf(fields.next(TAG.sequence));
  const name = fields.next(TAG.octetString).value;
  const key = fields.next(TAG.octetString).value;
  const serial = integerOf(fields.next(TAG.integer));
  fields.end();
  return { algorithm, name, key, serial };
}
type CertId = { algorithm: Der; name: Uint8Array; key: Uint8Array; serial: Uint8Array };

/** Compares hashes of the issuer's name and key, and the serial number. */
function isAbout({ algorithm, name, key, serial }: CertId, { certificate, issuer }: Question): boolean {
  const hash = plainAlgorithm(algorithm) === OID.sha1 ? 'SHA-1' : hashOf(algorithm);
  return (
    equal(name, digest(hash, issuer.subject.bytes)) &&
    equal(key, digest(hash, bitsOf(issuer.spki.children[1]))) &&
    equal(serial, certificate.serial)
  );
}

/** Returns the responder: the issuer itself, or a delegate that the issuer certified (RFC 6960 §4.2.2.2). */
async function responderOf(
  { by, producedAt, certificates }: Answer,
  issuer: Certificate,
): Promise<Certificate | undefined> {
  const isNamed = (one: Certificate): boolean =>
    'name' in by
      ? equal(by.name.bytes, one.subject.bytes)
      : equal(by.key, digest('SHA-1', bitsOf(one.spki.children[1])));
  if (isNamed(issuer)) return issuer;
  for (const one of certificates.map(({ bytes }) => readCertificate(bytes)).filter(isNamed)) {
    if (!purposes(one)?.includes(OID.ocspSigning) || !allowsUsage(one, DIGITAL_SIGNATURE)) continue;
    const chain = await chainTo(one, { roots: [issuer], others: [], at: producedAt });
    if (chain?.length === 2) return one;
  }
  return undefined;
}
