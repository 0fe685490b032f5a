/**
 * The data for validating a seal years later (PAdES B-LT): its certificates, and their revocation status
 * right before the seal, fetched as OCSP answers (RFC 6960) or lists (RFC 5280) and verified before use.
 */
import * as pki from 'pkijs';
import { equal } from '@karaar/proof/bytes';
import { readCertificate, type Certificate } from '@karaar/proof/seal/certificate';
import { revocationState, type RevocationValues } from '@karaar/proof/seal/revocation';
import type { ValidationData } from '@karaar/proof/seal/sealed-file';
import { SealError } from './errors.ts';

const OCSP = '1.3.6.1.5.5.7.48.1';
const MAX_ANSWER = 512 * 1024;
/** Longest reuse of an answer, even if it is valid for longer. */
const KEEP_MS = 10 * 60_000;

export interface ValidationOptions {
  timeoutMs?: number;
}

export interface ValidationSource {
  /**
   * Returns the chains' certificates with proof that none is revoked, requested after `since` if given.
   * @throws SealError `revoked` or `revocation_unavailable`
   */
  collect(chains: readonly (readonly Certificate[])[], since?: Date): Promise<ValidationData>;
}

const isRoot = (certificate: Certificate): boolean =>
  equal(certificate.issuer.bytes, certificate.subject.bytes);

/** Returns true if every certificate except the root names a revocation server. */
export function hasRevocationServers(chain: readonly Certificate[]): boolean {
  const root = chain.at(-1);
  return root !== undefined && isRoot(root) && chain.slice(0, -1).every((one) => addressesOf(one).length > 0);
}

/**
 * Returns a source that reuses a valid answer for up to ten minutes.
 * @param options timeoutMs for one request, 5 seconds by default
 */
export function createValidationSource({ timeoutMs = 5000 }: ValidationOptions = {}): ValidationSource {
  const kept = new Map<string, { asked: Date; values: RevocationValues }>();

  async function valuesFor(
    certificate: Certificate,
    issuer: Certificate,
    since: Date,
  ): Promise<RevocationValues> {
    const known = kept.get(certificate.fingerprint);
    const now = new Date();
    if (known && known.asked >= since) {
      // The answer itself may end earlier.
      if ((await revocationState(certificate, issuer, { values: known.values, at: now })) === 'good')
        return known.values;
    }
    const faults: string[] = [];
    for (const { kind, url } of addressesOf(certificate)) {
      try {
        const values = await ask(kind, url, { certificate, issuer, timeoutMs });
        const state = await revocationState(certificate, issuer, { values, at: new Date() });
        if (state === 'revoked')
          throw new SealError('revoked', `The certificate of ${certificate.commonName} has been revoked.`);
        if (state === 'unknown') throw new Error('the answer does not hold for this certificate');
        kept.set(certificate.fingerprint, { asked: now, values });
        return values;
      } catch (error) {
        if (error instanceof SealError) throw error;
        faults.push(`${new URL(url).host}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    const why = faults.join('; ') || 'it names no address';
    throw new SealError(
      'revocation_unavailable',
      `Nobody tells whether the certificate of ${certificate.commonName} is revoked (${why}).`,
    );
  }

  return {
    async collect(chains, since = new Date(Date.now() - KEEP_MS)) {
      const certificates = new Map(chains.flat().map((one) => [one.fingerprint, one.bytes]));
      const links = new Map<string, [Certificate, Certificate]>();
      for (const chain of chains) {
        for (const [i, certificate] of chain.entries()) {
          const issuer = chain[i + 1];
          if (issuer) links.set(certificate.fingerprint, [certificate, issuer]);
        }
      }
      const values = await Promise.all(
        [...links.values()].map(([own, issuer]) => valuesFor(own, issuer, since)),
      );
      return {
        certificates: [...certificates.values()],
        ocsps: distinct(values.flatMap(({ ocsps }) => ocsps)),
        crls: distinct(values.flatMap(({ crls }) => crls)),
      };
    },
  };
}

/** One list serves all certificates of an issuer. */
const distinct = (list: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(list.map((der) => [Buffer.from(der).toString('latin1'), der])).values(),
];

type Address = { kind: 'ocsp' | 'crl'; url: string };

/** Returns the revocation servers of a certificate, OCSP first because its answers are small. */
function addressesOf({ bytes }: Certificate): Address[] {
  const { extensions = [] } = pki.Certificate.fromBER(new Uint8Array(bytes).buffer);
  const found: Address[] = [];
  const add = (kind: Address['kind'], name: pki.GeneralName | undefined) => {
    const url: unknown = name?.type === 6 ? name.value : undefined;
    if (typeof url === 'string' && /^https?:\/\//.test(url)) found.push({ kind, url });
  };
  for (const { parsedValue } of extensions) {
    if (parsedValue instanceof pki.InfoAccess)
      for (const one of parsedValue.accessDescriptions)
        if (one.accessMethod === OCSP) add('ocsp', one.accessLocation);
    if (parsedValue instanceof pki.CRLDistributionPoints)
      for (const { distributionPoint: point } of parsedValue.distributionPoints)
        if (Array.isArray(point)) for (const name of point) add('crl', name);
  }
  return found.sort((a, b) => Number(b.kind === 'ocsp') - Number(a.kind === 'ocsp'));
}

async function ask(
  kind: Address['kind'],
  url: string,
  about: { certificate: Certificate; issuer: Certificate; timeoutMs: number },
): Promise<RevocationValues> {
  if (kind === 'crl') return { ocsps: [], crls: [await fetchDer(url, {}, about.timeoutMs)] };
  const [certificate, issuer] = [about.certificate, about.issuer].map(({ bytes }) =>
    pki.Certificate.fromBER(new Uint8Array(bytes).buffer),
  ) as [pki.Certificate, pki.Certificate];
  const request = new pki.OCSPRequest();
  await request.createForCertificate(certificate, { hashAlgorithm: 'SHA-1', issuerCertificate: issuer });
  const body = request.toSchema(true).toBER();
  const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' };
  return { ocsps: [await fetchDer(url, { method: 'POST', headers, body }, about.timeoutMs)], crls: [] };
}

async function fetchDer(url: string, init: RequestInit, timeoutMs: number): Promise<Uint8Array> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    if (size > MAX_ANSWER) throw new Error('the answer is too large');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Parses certificates in DER, in their order. @throws RangeError for an unreadable one */
export const readChain = (ders: readonly Uint8Array[]): Certificate[] =>
  ders.map((der) => readCertificate(new Uint8Array(der)));
