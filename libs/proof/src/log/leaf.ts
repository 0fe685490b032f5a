/**
 * What the log holds about a sealed document: a commitment, never the facts themselves. Who holds the salt
 * (the parties, and whoever they give the receipt to) can show which facts it stands for; nobody else can
 * find out by trying.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toBase64, utf8 } from '../bytes.ts';

/** The facts of one sealing. */
export type SealedFact = {
  /** 8-character document code. */
  code: string;
  /** Hex SHA-256 of the sealed file. */
  sha256: string;
  /** When it was sealed: ISO 8601, UTC, milliseconds. */
  sealedAt: string;
};

export const SALT_BYTES = 32;
const KIND = 'karaar/final/v1';

/** HMAC-SHA-256 under the salt: hides the facts and binds to them. */
export function commitment(salt: Uint8Array, fact: SealedFact): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new RangeError('the salt must have 32 bytes');
  return hmac(sha256, salt, utf8(`${KIND}\n${fact.code}\n${fact.sha256}\n${fact.sealedAt}\n`));
}

/** The leaf's bytes, as the log stores and shows them. */
export function leafData(salt: Uint8Array, fact: SealedFact): Uint8Array {
  return utf8(`${KIND}\n${toBase64(commitment(salt, fact))}\n`);
}
