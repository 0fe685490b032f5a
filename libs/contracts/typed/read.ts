/**
 * Parses typed input in the usual spellings: digits of any script, phone numbers and 8-character codes; amounts
 * are in amount.ts. Every field, search and API uses it. Pure.
 */

const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code));

/** The digits of a script are consecutive from its zero. */
function valueOf(digit: string): string {
  const plain = digit.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return plain;
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (isDigit(first - 1)) first -= 1;
  return String((code - first) % 10);
}

/** Returns the text with every decimal digit as 0 to 9: `५००` → `500`. Other characters are unchanged. */
export const readDigits = (text: string): string => text.replaceAll(/\p{Nd}/gu, valueOf);

/** Returns the text with plain digits and letters, without full-width forms and invisible marks. */
export const readPlain = (text: string): string =>
  readDigits(text.normalize('NFKC')).replaceAll(/\p{Cf}/gu, '');

/** Returns the plain text without grouping characters: spaces, dashes, dots, slashes and brackets. */
export const ungrouped = (text: string): string =>
  readPlain(text).replaceAll(/[\s\p{Pd}\p{Ps}\p{Pe}−._·/]/gu, '');

/**
 * Returns `+91` and ten digits from any spelling of an Indian number: with +91, 0091, 91 or 0 before it, or
 * as a link of a page; otherwise undefined.
 */
export function readPhone(text: string): string | undefined {
  const digits = /^(?:tel:)?(?:(?:\+|00)?91)?0?([0-9]{10})$/i.exec(ungrouped(text))?.[1];
  return digits && `+91${digits}`;
}

/** Codes contain no I, L or O: as Crockford's base32 requires, they are read as 1 and 0. */
export const readLetters = (code: string): string =>
  code.toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');

/**
 * Returns an 8-character ID or document code in its stored form, from `7T0H NGEC` or `7t0h-ngec`; otherwise
 * undefined.
 */
export function readCode(text: string): string | undefined {
  const code = readLetters(ungrouped(text));
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : undefined;
}
