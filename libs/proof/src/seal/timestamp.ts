/** Verifies RFC 3161 timestamp tokens against trusted authorities. */
import { equal } from '../bytes.ts';
import {
  allowsOnly,
  allowsUsage,
  chainTo,
  DIGITAL_SIGNATURE,
  NON_REPUDIATION,
  purposes,
  type Certificate,
} from './certificate.ts';
import { expectTag, integerOf, oidText, readDer, TAG, timeOf, type Der } from './der.ts';
import {
  algorithmOf,
  booleanOf,
  extensionsOf,
  Fields,
  isSameName,
  nameOf,
  only,
  versionOf,
} from '../fields.ts';
import { readSignedData } from './cms.ts';
import { digest, hashOf } from './signature-check.ts';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const EXTENDED_KEY_USAGE = '2.5.29.37';

/** `chain` leads from the authority's certificate to a trusted root; empty unless `ok`. */
export type Timestamp = {
  time: Date;
  authority: string;
  ok: boolean;
  why: string;
  chain: readonly Certificate[];
};

/**
 * Verifies a token over `stamped` (the signature's value, or its SHA-256 as `digest`).
 * @throws RangeError for bytes that are not a token
 */
export async function verifyTimestamp(
  token: Der,
  stamped: Uint8Array | { digest: Uint8Array },
  roots: readonly Certificate[],
): Promise<Timestamp> {
  const signed = readSignedData(token);
  if (signed.contentType !== TST_INFO || !signed.content) throw new RangeError('not a timestamp');
  const { time, imprint, authority: stated } = readInfo(readDer(signed.content));
  const { signer } = signed;
  const authority = signer.commonName;
  const verdict = (why: string, chain: readonly Certificate[] = []): Timestamp => ({
    time,
    authority,
    ok: why === '',
    why,
    chain,
  });
  const hash = hashOf(imprint.algorithm);
  const wanted = !('digest' in stamped)
    ? digest(hash, stamped)
    : hash === 'SHA-256'
      ? stamped.digest
      : undefined;
  if (!wanted || !equal(imprint.digest, wanted)) {
    return verdict('it is for something else than this seal');
  }
  const { signature, boundToCertificate, allows } = await signed.verify();
  if (!signature || !boundToCertificate) return verdict('its signature does not hold');
  if (!isForTimestamps(signer)) return verdict('its certificate is not one for timestamps');
  if (stated && !isSameName(stated, signer.subject)) return verdict('it names another authority');
  const chain = await chainTo(signer, { roots, others: signed.certificates, at: time });
  if (!chain) return verdict('its authority is not one that we trust');
  return allows(chain) ? verdict('', chain) : verdict('it names other certificates');
}

/** Returns true if the key is for timestamps alone (RFC 3161 §2.3). */
function isForTimestamps(certificate: Certificate): boolean {
  const uses = purposes(certificate);
  return (
    uses?.length === 1 &&
    uses[0] === TIME_STAMPING &&
    certificate.extensions.get(EXTENDED_KEY_USAGE)?.critical === true &&
    allowsUsage(certificate, DIGITAL_SIGNATURE) &&
    allowsOnly(certificate, [DIGITAL_SIGNATURE, NON_REPUDIATION])
  );
}

/**
 * Parses a TSTInfo (RFC 3161 §2.4.2).
 * @throws RangeError for anything else
 */
function readInfo(der: Der) {
  const fields = new Fields(der);
  versionOf(fields.next(TAG.integer), 1);
  oidText(fields.next(TAG.oid));
  const imprint = new Fields(fields.next(TAG.sequence));
  const algorithm = algorithmOf(imprint.next(TAG.sequence));
  const digest = imprint.next(TAG.octetString).value;
  imprint.end();
  integerOf(fields.next(TAG.integer));
  const time = timeOf(fields.next(TAG.generalizedTime));
  const accuracy = fields.optional(TAG.sequence);
  if (accuracy) checkAccuracy(accuracy);
  booleanOf(fields.optional(TAG.boolean));
  const nonce = fields.optional(TAG.integer);
  if (nonce) integerOf(nonce);
  const authority = fields.optional(0xa0);
  const more = fields.optional(0xa1);
  fields.end();
  const extensions = extensionsOf(more && { ...more, tag: TAG.sequence });
  if ([...extensions.values()].some(({ critical }) => critical))
    throw new RangeError('a timestamp with conditions');
  return {
    time,
    imprint: { algorithm, digest },
    authority: authority && nameOf(only(expectTag(only(authority), 0xa4))),
  };
}

function checkAccuracy(der: Der): void {
  const fields = new Fields(der);
  const seconds = fields.optional(TAG.integer);
  if (seconds) integerOf(seconds);
  for (const part of [fields.optional(0x80), fields.optional(0x81)])
    if (part) integerOf({ ...part, tag: TAG.integer });
  fields.end();
}
