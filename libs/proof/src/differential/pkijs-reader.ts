/** The same checks by pkijs. An error counts as a refusal. */
import * as asn1 from 'asn1js';
import * as pkijs from 'pkijs';
import { EVERY_BIT, type Said } from './subjects.ts';

const own = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
const or = <T>(otherwise: T, look: () => Promise<T>): Promise<T> =>
  Promise.resolve()
    .then(look)
    .catch(() => otherwise);

function certificate(bytes: Uint8Array): pkijs.Certificate {
  return pkijs.Certificate.fromBER(own(bytes));
}

const setBits = (byte: number, at: number): number[] =>
  EVERY_BIT.slice(0, 8).flatMap((bit) => (byte & (0x80 >> bit) ? [8 * at + bit] : []));

/** Returns the certificate's values if it leads to the root at that time. */
export function trustedCertificate(bytes: Uint8Array, root: Uint8Array, at: Date): Promise<Said | undefined> {
  return or(undefined, async () => {
    const leaf = certificate(bytes);
    const chain = new pkijs.CertificateChainValidationEngine({
      trustedCerts: [certificate(root)],
      certs: [leaf],
      checkDate: at,
    });
    if (!(await chain.verify()).result) return undefined;
    const extension = (id: string) =>
      leaf.extensions?.find(({ extnID }) => extnID === id)?.parsedValue as unknown;
    const uses = extension('2.5.29.37') as pkijs.ExtKeyUsage | undefined;
    const usage = extension('2.5.29.15') as asn1.BitString | undefined;
    return {
      from: leaf.notBefore.value.getTime(),
      until: leaf.notAfter.value.getTime(),
      serial: Buffer.from(leaf.serialNumber.valueBlock.valueHexView).toString('hex'),
      purposes: uses?.keyPurposes ?? [],
      usage: usage ? [...usage.valueBlock.valueHexView].flatMap(setBits) : EVERY_BIT,
    };
  });
}

function signedDataOf(bytes: Uint8Array): pkijs.SignedData {
  const info = pkijs.ContentInfo.fromBER(own(bytes));
  return new pkijs.SignedData({ schema: info.content as asn1.Sequence });
}

/** Returns true if a CMS signature over these bytes is valid for a certificate that it contains. */
export const holdsSeal = (bytes: Uint8Array, content: Uint8Array): Promise<boolean> =>
  or(false, () => signedDataOf(bytes).verify({ signer: 0, data: own(content), checkChain: false }));

/** Returns the time of a token over these bytes; undefined if it is invalid. */
export const stampedAt = (token: Uint8Array, stamped: Uint8Array): Promise<number | undefined> =>
  or(undefined, async () => {
    const signed = signedDataOf(token);
    if (!(await signed.verify({ signer: 0, data: own(stamped), checkChain: false }))) return undefined;
    const content = signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0);
    const info = pkijs.TSTInfo.fromBER(content);
    return (await info.verify({ data: own(stamped) })) ? info.genTime.getTime() : undefined;
  });

/**
 * Returns whether a list says that this certificate was revoked at a time; undefined if the list is invalid.
 */
export const listed = (
  bytes: Uint8Array,
  { issuer, leaf, at }: { issuer: Uint8Array; leaf: Uint8Array; at: Date },
): Promise<boolean | undefined> =>
  or(undefined, async () => {
    const list = pkijs.CertificateRevocationList.fromBER(own(bytes));
    if (!(await list.verify({ issuerCertificate: certificate(issuer) }))) return undefined;
    const { serialNumber } = certificate(leaf);
    const entry = list.revokedCertificates?.find(({ userCertificate }) =>
      userCertificate.isEqual(serialNumber),
    );
    return entry !== undefined && entry.revocationDate.value <= at;
  });

/** Returns the same from an OCSP answer, which may also be about other certificates. */
export const answered = (
  bytes: Uint8Array,
  { issuer, leaf, at }: { issuer: Uint8Array; leaf: Uint8Array; at: Date },
): Promise<boolean | undefined> =>
  or(undefined, async () => {
    const response = pkijs.OCSPResponse.fromBER(own(bytes));
    if (response.responseStatus.valueBlock.valueDec !== 0 || !response.responseBytes) return undefined;
    const basic = pkijs.BasicOCSPResponse.fromBER(
      own(response.responseBytes.response.valueBlock.valueHexView),
    );
    const root = certificate(issuer);
    // pkijs expects the responder among the certificates of the answer.
    basic.certs = [root];
    if (!(await basic.verify({ trustedResponders: [root] }))) return undefined;
    const { isForCertificate, status } = await basic.getCertificateStatus(certificate(leaf), root);
    if (!isForCertificate || status > 1) return undefined;
    return status === 1 && revokedBy(basic, at);
  });

/**
 * getCertificateStatus does not return the time of revocation, so this takes it from any answer with that
 * status.
 */
function revokedBy(basic: pkijs.BasicOCSPResponse, at: Date): boolean {
  return basic.tbsResponseData.responses.some(({ certStatus }) => {
    const [since] = (certStatus as asn1.Constructed).valueBlock.value;
    return since instanceof asn1.GeneralizedTime && since.toDate() <= at;
  });
}
