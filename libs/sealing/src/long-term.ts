/**
 * Seals whose own revision contains the data for later validation (PAdES B-LT). The validation data is
 * written before signing, so that the seal covers it and nothing follows the seal. The timestamp authority's
 * chain is known from an earlier timestamp.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TimestampAuthority } from '@libpdf/core';
import type { Certificate } from '@karaar/proof/seal/certificate';
import { readDer } from '@karaar/proof/seal/der';
import type { ValidationData } from '@karaar/proof/seal/sealed-file';
import { verifyTimestamp } from '@karaar/proof/seal/timestamp';
import { SealError } from './errors.ts';
import { createValidationSource, hasRevocationServers, type ValidationOptions } from './validation.ts';

/**
 * The seal's timestamp may come from another authority than the earlier one, so a second round is allowed.
 */
const ROUNDS = 2;

type Chain = readonly Certificate[];

export interface LongTerm {
  /**
   * Returns true if all certificates of the signer, and the known ones of the authority, name a revocation
   * server.
   */
  isPossible(): boolean;
  /**
   * Seals with `make`, which gets the validation data and the timestamp authority, then checks the signer's
   * certificates again.
   * @throws SealError `revocation_unavailable` if some validation data is unavailable; `tsa_unavailable` if a
   * certificate of the timestamp authority is revoked; `key_invalid` if the signer's certificate is revoked,
   * even meanwhile, so that the sealed file must not be published
   */
  seal<T>(make: (validation: ValidationData, timestamper: TimestampAuthority) => Promise<T>): Promise<T>;
}

/**
 * Returns the sealing for one signer; it remembers the authority's chain of the latest timestamp.
 * @param options.chain from the signer to its root
 * @param options.roots trusted for timestamps; empty if long-term seals are impossible
 */
export function createLongTerm(options: {
  chain: Chain;
  timestamper: TimestampAuthority;
  roots: readonly Certificate[];
  validation?: ValidationOptions;
}): LongTerm {
  const { chain, timestamper, roots } = options;
  const source = createValidationSource(options.validation);
  const possible = roots.length > 0 && hasRevocationServers(chain);
  let authority: Chain | undefined;

  const remembering: TimestampAuthority = {
    async timestamp(digest, algorithm) {
      const token = await timestamper.timestamp(digest, algorithm);
      const found = await verifyTimestamp(readDer(token), { digest }, roots);
      authority = found.chain;
      return token;
    },
  };
  const isKnown = (one: Chain): boolean => hasRevocationServers(one);

  return {
    isPossible: () => possible && (authority === undefined || isKnown(authority)),
    async seal(make) {
      if (!authority)
        await remembering.timestamp(createHash('sha256').update(randomBytes(32)).digest(), 'SHA-256');
      for (let round = 0; round < ROUNDS; round += 1) {
        const expected: Chain = authority ?? [];
        if (!possible || !isKnown(expected))
          throw new SealError(
            'revocation_unavailable',
            'Not every certificate says where revocation is told.',
          );
        const own = await source.collect([chain]).catch(asKeyFault);
        const theirs = await source.collect([expected]).catch(asAuthorityFault);
        const began = new Date();
        const made = await make(merged(own, theirs), remembering);
        if (!isSame(authority, expected)) continue;
        // The validation data under the seal is older than the seal, so a certificate that was revoked
        // meanwhile is detected here.
        await source.collect([chain], began).catch(asKeyFault);
        return made;
      }
      throw new SealError(
        'revocation_unavailable',
        'The timestamp authorities change from one request to the next.',
      );
    },
  };
}

const isSame = (a: Chain | undefined, b: Chain): boolean =>
  a?.length === b.length && a.every(({ fingerprint }, i) => fingerprint === b[i]?.fingerprint);

function asKeyFault(error: unknown): never {
  if (error instanceof SealError && error.code === 'revoked')
    throw new SealError('key_invalid', error.message, error);
  throw error;
}

function asAuthorityFault(error: unknown): never {
  if (error instanceof SealError && error.code === 'revoked')
    throw new SealError('tsa_unavailable', error.message, error);
  throw error;
}

function merged(a: ValidationData, b: ValidationData): ValidationData {
  const both = (key: keyof ValidationData): Uint8Array[] => [
    ...new Map([...a[key], ...b[key]].map((der) => [Buffer.from(der).toString('latin1'), der])).values(),
  ];
  return { certificates: both('certificates'), ocsps: both('ocsps'), crls: both('crls') };
}
