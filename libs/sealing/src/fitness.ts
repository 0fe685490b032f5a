/** Checks before a key seals: what a PDF reader, the authority's rules and our own verifier will ask for. */
import { X509Certificate } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { equal } from '@karaar/proof/bytes';
import {
  allowsUsage,
  chainTo,
  DIGITAL_SIGNATURE,
  isAuthority,
  NON_REPUDIATION,
  purposes,
  type Certificate,
} from '@karaar/proof/seal/certificate';
import { checkSeal } from '@karaar/proof/seal/check';
import { isSignedBy } from '@karaar/proof/seal/signature-check';
import { fileOf } from '@karaar/proof/seal/sealed-file';
import { SealError } from './errors.ts';
import { commonName, type SealKey } from './keys.ts';
import { createSealer } from './seal.ts';
import { readChain } from './validation.ts';

/** A reason why a key should not seal, and what the operator does about it. */
export interface KeyFault {
  cause: string;
  remedy: string;
}

const DAY_MS = 24 * 3600 * 1000;
/** A certificate that is valid for a shorter time would soon need another change. */
const MIN_DAYS = 14;
const MIN_RSA_BITS = 2048;
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
/** Purposes (extended key usages) that PDF readers accept for documents; Adobe's rules and RFC 9336. */
const FOR_DOCUMENTS = [
  '1.3.6.1.5.5.7.3.36', // document signing
  '1.3.6.1.4.1.311.10.3.12', // document signing, Microsoft's
  '1.2.840.113583.1.1.5', // Adobe's authentic documents
  '1.3.6.1.5.5.7.3.4', // e-mail protection
  '1.3.6.1.5.5.7.3.3', // code signing
  '2.5.29.37.0', // any
];
const SERVER = '1.3.6.1.5.5.7.3.1';
const BUY =
  'Order one for document signing from an authority that PDF readers trust (Adobe’s AATL, India’s CCA).';

const ADD =
  'Make the file with it again (`openssl pkcs12 -export -certfile`), or add it to SEAL_CERTIFICATES_FILE.';

const day = (date: Date): string => date.toISOString().slice(0, 10);
const isRoot = ({ issuer, subject }: Certificate): boolean => equal(issuer.bytes, subject.bytes);

/**
 * Returns all faults of a key and its chain; for a key without any, those of a test seal that our verifier
 * checks.
 */
export async function keyFaults(key: SealKey, now = new Date()): Promise<KeyFault[]> {
  let chain: Certificate[];
  try {
    chain = readChain(key.identity.chain);
    const faults = [
      ...(await linkFaults(chain)),
      ...dateFaults(chain, now),
      ...purposeFaults(chain[0]),
      ...chain.flatMap(strengthFaults),
    ];
    if (faults.length > 0) return faults;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [
      {
        cause: `A certificate has a form that our verifier refuses: ${error.message}.`,
        remedy: 'Ask the authority for one by RFC 5280.',
      },
    ];
  }
  return sealFaults(key, chain, now);
}

/** The chain from the key's certificate to a root, link by link. */
async function linkFaults(chain: readonly Certificate[]): Promise<KeyFault[]> {
  const [own, ...above] = chain;
  if (own && isRoot(own))
    return [{ cause: `Nobody but "${own.commonName}" itself has signed its certificate.`, remedy: BUY }];
  const faults: KeyFault[] = [];
  for (const [i, issuer] of above.entries()) {
    const below = chain[i];
    if (!below) continue;
    const link = `"${issuer.commonName}" on the certificate of "${below.commonName}"`;
    const remedy = `Download the certificates of the authority again. ${ADD}`;
    if (!isAuthority(issuer)) faults.push({ cause: `"${issuer.commonName}" is not an authority.`, remedy });
    const { algorithm, tbs, signature } = below;
    try {
      if (!(await isSignedBy(issuer.spki, { algorithm, data: tbs.bytes, signature })))
        faults.push({ cause: `The signature of ${link} is not valid.`, remedy });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push({
        cause: `The signature of ${link} is by ${error.message}, such as one with SHA-1.`,
        remedy: 'Ask the authority for a certificate signed with SHA-256.',
      });
    }
  }
  const top = chain.at(-1);
  if (top && !isRoot(top)) {
    const missing = commonName(new X509Certificate(top.bytes).issuer);
    faults.push({
      cause: `The chain is not complete: it ends at "${top.commonName}", without the certificate of its issuer "${missing}".`,
      remedy: `Download that certificate from the authority. ${ADD}`,
    });
  }
  return faults;
}

function dateFaults(chain: readonly Certificate[], now: Date): KeyFault[] {
  return chain.flatMap(({ commonName: name, notBefore, notAfter }, i) => {
    if (notBefore > now)
      return [
        {
          cause: `The certificate of "${name}" is valid only from ${day(notBefore)}.`,
          remedy: 'Wait until then, or correct the clock of this machine.',
        },
      ];
    const days = Math.floor((notAfter.getTime() - now.getTime()) / DAY_MS);
    if (days < 0)
      return [
        { cause: `The certificate of "${name}" ended on ${day(notAfter)}.`, remedy: 'Order a new one.' },
      ];
    if (i === 0 && days < MIN_DAYS)
      return [
        { cause: `The certificate of "${name}" ends in ${days} days.`, remedy: 'Order the next one first.' },
      ];
    return [];
  });
}

function purposeFaults(own: Certificate | undefined): KeyFault[] {
  if (!own) return [];
  const faults: KeyFault[] = [];
  const given = purposes(own);
  if (isAuthority(own))
    faults.push({ cause: `The certificate of "${own.commonName}" is an authority’s.`, remedy: BUY });
  if (!allowsUsage(own, DIGITAL_SIGNATURE) && !allowsUsage(own, NON_REPUDIATION))
    faults.push({
      cause: 'Its key usage has neither digitalSignature nor nonRepudiation (contentCommitment).',
      remedy: BUY,
    });
  if (given && !given.some((one) => FOR_DOCUMENTS.includes(one)))
    faults.push({
      cause: `Its extended key usage is not for documents${given.includes(SERVER) ? ' but for a web server' : ''} (${given.join(', ')}).`,
      remedy: BUY,
    });
  return faults;
}

function strengthFaults({ bytes, commonName: name }: Certificate): KeyFault[] {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = new X509Certificate(bytes).publicKey;
  const isStrong =
    kind === 'rsa'
      ? (details?.modulusLength ?? 0) >= MIN_RSA_BITS
      : kind === 'ec' && CURVES.includes(details?.namedCurve ?? '');
  if (isStrong) return [];
  const what = [kind, details?.modulusLength ?? details?.namedCurve].filter(Boolean).join(' ');
  return [
    {
      cause: `The key of "${name}" is too weak or of a kind that is not supported (${what}).`,
      remedy: 'Order a certificate for RSA of at least 2048 bits, or for P-256, P-384 or P-521.',
    },
  ];
}

/** Seals a page and verifies it as `/verify` does. */
async function sealFaults(
  { signer }: SealKey,
  chain: readonly Certificate[],
  now: Date,
): Promise<KeyFault[]> {
  const [own] = chain;
  const roots = chain.slice(-1);
  if (!own || !(await chainTo(own, { roots, others: chain, at: now })))
    return [
      {
        cause:
          'Our verifier refuses the chain: a name constraint, a critical extension or a path length forbids it.',
        remedy: BUY,
      },
    ];
  const page = PDF.create();
  page.addPage({ size: 'a4' }).drawText('Test of the seal', { x: 60, y: 700, size: 24 });
  try {
    const sealer = await createSealer({ key: { kind: 'signer', signer } });
    const { pdf } = await sealer.seal(await page.save(), { level: 'B-B' });
    const { checks } = await checkSeal(fileOf(pdf), { sealers: [own], roots, timestampRoots: [] });
    return checks.flatMap(({ ok, detail }) =>
      ok ? [] : [{ cause: `Our verifier refuses a test seal: ${detail}`, remedy: BUY }],
    );
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return [{ cause: `The test seal failed: ${error.message}`, remedy: 'Check the key and its device.' }];
  }
}
