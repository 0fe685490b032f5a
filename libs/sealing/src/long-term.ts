/**
 * Seals whose own revision holds what validates them later (PAdES B-LT). The store is written before it is signed, so
 * that the seal covers it and nothing follows the seal; whose timestamp comes is known from the one before it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TimestampAuthority } from '@libpdf/core';
import type { Certificate } from '@karaar/proof/seal/certificate';
import { readDer } from '@karaar/proof/seal/der';
import type { ValidationData } from '@karaar/proof/seal/sealed-file';
import { verifyTimestamp } from '@karaar/proof/seal/timestamp';
import { SealError } from './errors.ts';
import { createValidationSource, tellsRevocation, type ValidationOptions } from './validation.ts';

/** A second authority may answer between the question whose it will be and the seal. */
const ROUNDS = 2;

type Chain = readonly Certificate[];

export interface LongTerm {
  /** Whether the signer's certificates, and those of the authority as far as they are known, say where to ask. */
  isPossible(): boolean;
  /**
   * Seals by `make`, which gets the store's content and the authority to ask, and asks about the signer's certificates
   * again when it is sealed. Throws `revocation_unavailable` when not everything that a validator needs can be had now,
   * `key_invalid` when the signer's certificate is revoked, also meanwhile: what was made is not to be given out then.
   */
  seal<T>(make: (validation: ValidationData, timestamper: TimestampAuthority) => Promise<T>): Promise<T>;
}

export function createLongTerm(options: {
  chain: Chain;
  timestamper: TimestampAuthority;
  roots: readonly Certificate[];
  validation?: ValidationOptions;
}): LongTerm {
  const { chain, timestamper, roots } = options;
  const source = createValidationSource(options.validation);
  const possible = roots.length > 0 && tellsRevocation(chain);
  let authority: Chain | undefined;

  /** Asks for a timestamp and remembers by whose certificates it was signed. */
  const remembering: TimestampAuthority = {
    async timestamp(digest, algorithm) {
      const token = await timestamper.timestamp(digest, algorithm);
      const found = await verifyTimestamp(readDer(token), { digest }, roots);
      authority = found.chain;
      return token;
    },
  };
  const isKnown = (one: Chain): boolean => tellsRevocation(one);

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
        // What is under the seal was told before it: a certificate revoked meanwhile has sealed nothing.
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
