/**
 * The log's entry about a sealed document: a commitment without the data itself. Holders of the salt (the
 * parties, and everyone to whom they give the receipt) can prove which data it stands for; others cannot
 * guess it.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64, utf8 } from '../bytes.ts';

export type SealedFact = {
  code: string;
  sha256: string;
  sealedAt: string;
};

export const SALT_BYTES = 32;
const KIND = 'karaar/final/v1';

/**
 * Returns the HMAC-SHA-256 with the salt as key, a hiding and binding commitment.
 * @throws RangeError for a salt that does not have 32 bytes
 */
export function commitment(salt: Uint8Array, fact: SealedFact): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new RangeError('the salt must have 32 bytes');
  return hmac(sha256, salt, utf8(`${KIND}\n${fact.code}\n${fact.sha256}\n${fact.sealedAt}\n`));
}

/** Returns the leaf's bytes, as the log stores and publishes them. */
export function leafData(salt: Uint8Array, fact: SealedFact): Uint8Array {
  return utf8(`${KIND}\n${toBase64(commitment(salt, fact))}\n`);
}
