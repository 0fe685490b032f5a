/** The rules of one-time codes, without input and output (design §3 OTP). */
import { createHmac, randomBytes } from 'node:crypto';
import { readPhone, ungrouped } from '@karaar/contracts/typed/read';
import { invalid } from '@karaar/base/errors';

/** 32 symbols that are not easily confused. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const OTP_LENGTH = 6;
export const OTP_TTL_MS = 5 * 60_000;
export const OTP_MAX_TRIES = 5;
export const OTP_RESEND_MS = 30_000;
export const OTP_MAX_SENDS = 3;
export const OTP_SENDS_WINDOW_MS = 5 * 60_000;
/** A code that was sent before is reused for another challenge if at least this much of its time is left. */
export const OTP_TIME_LEFT_MS = 60_000;
/** Largest number of live challenges for one phone that people unknown to it have requested. */
export const OTP_MAX_LIVE = 100;

/**
 * The purpose and recipient of a code. A code for one purpose is refused for another. `purpose` includes the
 * id of the user or session if only that user or session may redeem the code. `phone` is `+91` and ten
 * digits, or the e-mail address to prove.
 */
export type Purpose = {
  purpose:
    'sign-in' | `change-phone:${string}` | `confirm:${string}` | 'invitation' | `prove-email:${string}`;
  phone: string;
};

/** Returns six symbols from the system's CSPRNG; 32 divides 256, so all symbols are equally likely. */
export const newCode = (): string =>
  Array.from(randomBytes(OTP_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');

/**
 * Returns the key under which a phone or address is counted: an HMAC, so that the counters hold no personal
 * data.
 */
export const keyed = (pepper: Buffer, value: string): string =>
  createHmac('sha256', pepper).update(value).digest('hex').slice(0, 32);

/**
 * Returns the stored form of a code: an HMAC whose key is not in the database. Codes are case-insensitive.
 */
export const codeDigest = (pepper: Buffer, whose: string, code: string): string =>
  createHmac('sha256', pepper)
    .update(`${whose}\0${ungrouped(code).toUpperCase()}`)
    .digest('hex');

/**
 * Returns `+91` and ten digits for any spelling of a phone number.
 * @throws 422 for anything else
 */
export function normalizePhone(typed: string): string {
  const phone = readPhone(typed);
  if (!phone) throw invalid([{ loc: 'phone_no', msg: 'Enter a valid 10-digit phone number' }]);
  return phone;
}
