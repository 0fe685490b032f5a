/** Cleans typed or pasted text (spec §5). */
import { readLetters, readPhone, readPlain, ungrouped } from '@karaar/contracts/typed/read';

/** Prefixes of a number before its ten digits, also +91 (0) 98765 43210. */
const INDIA = /^(?:(?:\+91|0091|91(?=0?\d{10}$))0?|0(?=\d{10}$))/;

/** Returns the 10 digits of an Indian number, without +91, 0 and separators of a paste. */
export function digitsOnly(text: string): string {
  const compact = ungrouped(text).replace(/^\++/, '+');
  const whole = readPhone(compact)?.slice(3);
  return whole ?? compact.replace(INDIA, '').replaceAll(/\D/g, '').slice(0, 10);
}

/**
 * Returns everything typed into a field so far, also what `clean` removes: `+91` is a prefix only together.
 * @param before what this function returned for the last change
 * @param shown the text of the field before this change
 * @param next the text of the field now
 */
export const typedSoFar = (
  clean: (text: string) => string,
  { before, shown, next }: { before: string; shown: string; next: string },
): string => (clean(before) === shown && next.startsWith(shown) ? before + next.slice(shown.length) : next);

/** Returns up to 6 letters and digits of a one-time code, in upper case; accepts a whole pasted message. */
export function otpOnly(text: string, length = 6): string {
  const upper = readPlain(text).toUpperCase();
  // The code in a message is the word of this length with a digit.
  const word = upper.match(/[A-Z0-9]+/g)?.find((part) => part.length === length && /\d/.test(part));
  const isMessage = /\s/.test(upper.trim()) && word !== undefined;
  return (isMessage ? word : upper.replaceAll(/[^A-Z0-9]/g, '')).slice(0, length);
}

/** Characters of a document code and of a user ID. */
export const CODE_LENGTH = 8;
/** A code after a label, `ID: 7T0H NGEC`, or at the end of a link. */
const LABELLED = /[:/=#]\s*([A-Z0-9]{4}[\s\p{Pd}]?[A-Z0-9]{4})$/u;

/** Returns up to 8 letters and digits of a code or ID, in upper case, without blanks and hyphens. */
export function codeOnly(text: string): string {
  const upper = readPlain(text).toUpperCase().trim();
  const code = LABELLED.exec(upper)?.[1] ?? upper;
  return readLetters(code)
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, CODE_LENGTH);
}
