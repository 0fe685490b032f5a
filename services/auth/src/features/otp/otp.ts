/** One-time codes: pure rules (design §3 OTP). */
import { createHmac, randomBytes } from 'node:crypto';

/** 32 symbols that people do not misread for one another. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const OTP_LENGTH = 6;
export const OTP_TTL_MS = 5 * 60_000;
export const OTP_MAX_TRIES = 5;
export const OTP_RESEND_MS = 30_000;
export const OTP_MAX_SENDS = 3;
export const OTP_SENDS_WINDOW_MS = 5 * 60_000;

/**
 * What a code is good for. A code of one purpose is no code of another; `purpose` names the user too where only
 * one may redeem it. The phone is `+91` and ten digits.
 */
export type Purpose = { purpose: 'sign-in' | `change-phone:${string}`; phone: string };

/** Six symbols from the system's CSPRNG; 32 divides 256, so no symbol is likelier. */
export const newCode = (): string =>
  Array.from(randomBytes(OTP_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');

/** A phone or an address as it is counted: an HMAC, so that the counters name nobody. */
export const keyed = (pepper: Buffer, value: string): string =>
  createHmac('sha256', pepper).update(value).digest('hex').slice(0, 32);

/** What is kept of a code: an HMAC under a key that the database never sees. Codes are read case-insensitively. */
export const codeDigest = (pepper: Buffer, whose: string, code: string): string =>
  createHmac('sha256', pepper).update(`${whose}\0${code.toUpperCase()}`).digest('hex');

/** `+91` and ten digits from either spelling. */
export const normalizePhone = (phone: string): string => (phone.startsWith('+91') ? phone : `+91${phone}`);
