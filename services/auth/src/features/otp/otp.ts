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

/** Six symbols from the system's CSPRNG; 32 divides 256, so no symbol is likelier. */
export const newCode = (): string =>
  Array.from(randomBytes(OTP_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('');

/** What is kept of a code: an HMAC under a key that Redis never sees. Codes are read case-insensitively. */
export const codeDigest = (pepper: Buffer, phone: string, code: string): string =>
  createHmac('sha256', pepper).update(`${phone}\0${code.toUpperCase()}`).digest('hex');

/** `+91` and ten digits from either spelling. */
export const normalizePhone = (phone: string): string => (phone.startsWith('+91') ? phone : `+91${phone}`);
