/** Identifiers (design §3): UUIDv7 for rows, 8 characters of Crockford base32 for people to type. */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** Crockford base32: digits and letters without I, L, O and U, which are easily misread. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a time-ordered UUID (version 7). The order is that of creation in one process, not of commits. */
export function uuidv7(): string {
  return v7();
}

/**
 * Returns eight upper-case characters of Crockford base32 from the system's CSPRNG: 40 bits. Codes can
 * collide (1 % after about 150,000 of them), so the column needs a unique index and the insert a retry.
 */
export function randomCode8(): string {
  // 32 symbols divide 256 evenly, so the low five bits of a byte are unbiased.
  return Array.from(randomBytes(8), (byte) => CROCKFORD.charAt(byte & 31)).join('');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true for a valid UUID: Postgres fails a query that compares a `uuid` with any other text. */
export const isUuid = (text: string): boolean => UUID.test(text);
