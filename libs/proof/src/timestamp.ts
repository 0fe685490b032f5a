/** RFC 3161 timestamp tokens, verified against trusted authorities. */
import { equal } from './bytes.ts';
import { allowsUsage, chainTo, DIGITAL_SIGNATURE, purposes, type Certificate } from './certificate.ts';
import { childOf, readDer, TAG, timeOf, type Der } from './der.ts';
import { readSignedData } from './cms.ts';
import { digest, hashOf } from './signature-check.ts';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** `chain` leads from the authority's certificate to a trusted root; empty unless `ok`. */
export type Timestamp = {
  time: Date;
  authority: string;
  ok: boolean;
  why: string;
  chain: readonly Certificate[];
};

/**
 * What a token over `stamped` (the signature's value, or its SHA-256 as `digest`) is worth. Throws RangeError
 * for what is no token.
 */
export async function verifyTimestamp(
  token: Der,
  stamped: Uint8Array | { digest: Uint8Array },
  roots: readonly Certificate[],
): Promise<Timestamp> {
  const signed = readSignedData(token);
  if (signed.contentType !== TST_INFO || !signed.content) throw new RangeError('not a timestamp');
  const info = readDer(signed.content);
  const imprint = childOf(info, 2, TAG.sequence);
  const time = timeOf(info.children[4]);
  const { signer } = signed;
  const authority = signer.commonName;
  const verdict = (why: string, chain: readonly Certificate[] = []): Timestamp => ({
    time,
    authority,
    ok: why === '',
    why,
    chain,
  });
  const stated = childOf(imprint, 1, TAG.octetString).value;
  const hash = hashOf(childOf(imprint, 0, TAG.sequence));
  const wanted = !('digest' in stamped)
    ? digest(hash, stamped)
    : hash === 'SHA-256'
      ? stamped.digest
      : undefined;
  if (!wanted || !equal(stated, wanted)) {
    return verdict('it is for something else than this seal');
  }
  const { signature, boundToCertificate } = await signed.verify();
  if (!signature || !boundToCertificate) return verdict('its signature does not hold');
  const uses = purposes(signer);
  if (uses?.length !== 1 || uses[0] !== TIME_STAMPING || !allowsUsage(signer, DIGITAL_SIGNATURE)) {
    return verdict('its certificate is not one for timestamps');
  }
  const chain = await chainTo(signer, { roots, others: signed.certificates, at: time });
  return chain ? verdict('', chain) : verdict('its authority is not one that we trust');
}
