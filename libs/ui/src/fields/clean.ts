/** What a field keeps of what is typed or pasted (spec §5). */
import { readDigits } from '@karaar/contracts/typed/read';

/** Of a number before its ten digits; +91 (0) 98765 43210 is written, too. */
const INDIA = /^(?:(?:\+91|0091|91(?=0?\d{10}$))0?|0(?=\d{10}$))/;

/** The 10 digits of an Indian number; +91, 0 and separators that a paste brings along are dropped. */
export function digitsOnly(text: string): string {
  const compact = readDigits(text)
    .trim()
    .replaceAll(/[\s().-]/g, '');
  return compact.replace(INDIA, '').replaceAll(/\D/g, '').slice(0, 10);
}

/** Up to 6 letters and digits of a one-time code, in upper case; a whole message can be pasted. */
export function otpOnly(text: string, length = 6): string {
  const upper = readDigits(text).toUpperCase();
  // In a pasted message the code is the one word of its length that holds a digit.
  const word = upper.match(/[A-Z0-9]+/g)?.find((part) => part.length === length && /\d/.test(part));
  const isMessage = /\s/.test(upper.trim()) && word !== undefined;
  return (isMessage ? word : upper.replaceAll(/[^A-Z0-9]/g, '')).slice(0, length);
}

/** Characters of a document code and of a user ID. */
export const CODE_LENGTH = 8;

/** Up to 8 letters and digits of a code or ID, in upper case; blanks and hyphens between its groups are dropped. */
export function codeOnly(text: string): string {
  const upper = readDigits(text).toUpperCase();
  return upper.replaceAll(/[^A-Z0-9]/g, '').slice(0, CODE_LENGTH);
}
