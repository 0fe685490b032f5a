/**
 * Was a certificate good at a time? By certificate revocation lists (RFC 5280 §5) and OCSP answers (RFC 6960) that
 * somebody hands over: read strictly, verified, and counted only for the certificate that they are about.
 */
import { equal, toHex } from './bytes.ts';
import {
  allowsUsage,
  chainTo,
  CRL_SIGN,
  DIGITAL_SIGNATURE,
  purposes,
  readCertificate,
  type Certificate,
} from './certificate.ts';
import { bitsOf, childOf, expectTag, oidText, readDer, TAG, timeOf, type Der } from './der.ts';
import { digest, hashOf, isSignedBy } from './signature-check.ts';

/** DER of what tells about revocation, as it stands in a DSS dictionary. */
export type RevocationValues = { ocsps: readonly Uint8Array[]; crls: readonly Uint8Array[] };

const OID = {
  sha1: '1.3.14.3.2.26',
  basicOcsp: '1.3.6.1.5.5.7.48.1.1',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  issuingDistributionPoint: '2.5.29.28',
} as const;
/** Of an issuing distribution point: what narrows a list so that a missing number says nothing. */
const NARROWING = [0xa3, 0x84, 0x85];
/** Clocks of two machines differ. */
const SKEW_MS = 5 * 60_000;

/** What values say about one certificate; `unknown` when none of them is about it and holds. */
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
 * Why a chain (its certificate first, its root last) was not good at that time by these values; '' when it was. The
 * root is trusted by itself.
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

/** Issued before that time and not overtaken at it. */
function isCurrent(thisUpdate: Date, nextUpdate: Date | undefined, at: Date): boolean {
  return thisUpdate.getTime() <= at.getTime() + SKEW_MS && (!nextUpdate || nextUpdate >= at);
}

async function byList(bytes: Uint8Array, { certificate, issuer, at }: Question) {
  const outer = expectTag(readDer(bytes), TAG.sequence);
  const list = childOf(outer, 0, TAG.sequence);
  const algorithm = childOf(outer, 1, TAG.sequence);
  const fields = list.children[0]?.tag === TAG.integer ? list.children.slice(1) : list.children;
  const [inner, name, thisUpdate, ...rest] = fields;
  if (!inner || !name || !equal(inner.bytes, algorithm.bytes)) throw new RangeError('not a revocation list');
  if (!equal(name.bytes, issuer.subject.bytes) || !equal(name.bytes, certificate.issuer.bytes))
    return 'unknown';
  const isTime = rest[0]?.tag === TAG.utcTime || rest[0]?.tag === TAG.generalizedTime;
  const revoked = rest.find(({ tag }) => tag === TAG.sequence)?.children ?? [];
  if (narrows(rest.find(({ tag }) => tag === 0xa0))) return 'unknown';
  if (!isCurrent(timeOf(thisUpdate), isTime ? timeOf(rest[0]) : undefined, at)) return 'unknown';
  if (!allowsUsage(issuer, CRL_SIGN)) return 'unknown';
  const signature = bitsOf(outer.children[2]);
  if (!(await isSignedBy(issuer.spki, { algorithm, data: list.bytes, signature }))) return 'unknown';
  const entry = revoked.find(({ children }) => equal(children[0]?.value ?? NONE, certificate.serial));
  return entry && timeOf(entry.children[1]) <= at ? 'revoked' : 'good';
}

const NONE = new Uint8Array();

/** Is it a list for some certificates only, or one with something critical that is not understood? */
function narrows(extensions: Der | undefined): boolean {
  return (extensions?.children[0]?.children ?? []).some(({ children }) => {
    const critical = children[1]?.tag === TAG.boolean && children[1].value[0] === 0xff;
    if (oidText(children[0]) !== OID.issuingDistributionPoint) return critical;
    const point = readDer(expectTag(children.at(-1), TAG.octetString).value);
    return point.children.some(({ tag }) => NARROWING.includes(tag));
  });
}

async function byOcsp(bytes: Uint8Array, question: Question) {
  const { issuer, at } = question;
  const outer = expectTag(readDer(bytes), TAG.sequence);
  const [status, answer] = outer.children;
  if (status?.tag !== 0x0a || status.value.length !== 1 || status.value[0] !== 0) return 'unknown';
  const typed = childOf(expectTag(answer, 0xa0), 0, TAG.sequence);
  if (oidText(typed.children[0]) !== OID.basicOcsp) throw new RangeError('another kind of OCSP answer');
  const basic = expectTag(readDer(childOf(typed, 1, TAG.octetString).value), TAG.sequence);
  const data = childOf(basic, 0, TAG.sequence);
  const producedAt = data.children.find(({ tag }) => tag === TAG.generalizedTime);
  const answers = expectTag(
    data.children.find(({ tag }) => tag === TAG.sequence),
    TAG.sequence,
  ).children;
  const about = answers.find((one) => isAbout(childOf(one, 0, TAG.sequence), question));
  if (!about) return 'unknown';
  const [, verdict, thisUpdate] = about.children;
  const next = about.children.find(({ tag }) => tag === 0xa0)?.children[0];
  // `[0]` of the answer itself is its next update; `[0]` (good) of its verdict is primitive.
  if (!isCurrent(timeOf(thisUpdate), next ? timeOf(next) : undefined, at)) return 'unknown';
  const responder = await responderOf(basic, { issuer, at: timeOf(producedAt) });
  const claim = {
    algorithm: childOf(basic, 1, TAG.sequence),
    data: data.bytes,
    signature: bitsOf(basic.children[2]),
  };
  if (!responder || !(await isSignedBy(responder.spki, claim))) return 'unknown';
  if (verdict?.tag === 0x80) return 'good';
  if (verdict?.tag !== 0xa1) return 'unknown';
  return timeOf(verdict.children[0]) <= at ? 'revoked' : 'good';
}

/** RFC 6960 §4.1.1: by hashes of the issuer's name and key and the serial number. */
function isAbout(id: Der, { certificate, issuer }: Question): boolean {
  const algorithm = childOf(id, 0, TAG.sequence);
  const hash = oidText(algorithm.children[0]) === OID.sha1 ? 'SHA-1' : hashOf(algorithm);
  const key = bitsOf(issuer.spki.children[1]);
  return (
    equal(childOf(id, 1, TAG.octetString).value, digest(hash, issuer.subject.bytes)) &&
    equal(childOf(id, 2, TAG.octetString).value, digest(hash, key)) &&
    equal(childOf(id, 3, TAG.integer).value, certificate.serial)
  );
}

/** The issuer itself, or one whom the issuer has certified for that (RFC 6960 §4.2.2.2). */
async function responderOf(
  basic: Der,
  by: { issuer: Certificate; at: Date },
): Promise<Certificate | undefined> {
  const { issuer, at } = by;
  const data = childOf(basic, 0, TAG.sequence);
  const name = data.children.find(({ tag }) => tag === 0xa1)?.children[0];
  const key = data.children.find(({ tag }) => tag === 0xa2)?.children[0];
  const isNamed = (one: Certificate): boolean =>
    name
      ? equal(name.bytes, one.subject.bytes)
      : toHex(expectTag(key, TAG.octetString).value) === toHex(digest('SHA-1', bitsOf(one.spki.children[1])));
  if (isNamed(issuer)) return issuer;
  const given = basic.children.find(({ tag }) => tag === 0xa0)?.children[0]?.children ?? [];
  for (const one of given.map(({ bytes }) => readCertificate(bytes)).filter(isNamed)) {
    if (!purposes(one)?.includes(OID.ocspSigning) || !allowsUsage(one, DIGITAL_SIGNATURE)) continue;
    const chain = await chainTo(one, { roots: [issuer], others: [], at });
    if (chain?.length === 2) return one;
  }
  return undefined;
}
