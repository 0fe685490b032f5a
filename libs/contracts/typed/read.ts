/**
 * Parses typed input in the usual spellings: digits of any script, phone numbers, 8-character codes and
 * amounts. Every field, search and API uses it. Pure.
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

/** Removes grouping characters: spaces, dashes, dots, brackets, and invisible marks. */
const ungrouped = (text: string): string =>
  readDigits(text.normalize('NFKC')).replaceAll(/[\s\p{Pd}\p{Cf}\p{Ps}\p{Pe}−._·/]/gu, '');

/**
 * Returns `+91` and ten digits from any spelling of an Indian number: with +91, 0091, 91 or 0 before it;
 * otherwise undefined.
 */
export function readPhone(text: string): string | undefined {
  const digits = /^(?:(?:\+|00)?91)?0?([0-9]{10})$/.exec(ungrouped(text))?.[1];
  return digits && `+91${digits}`;
}

/**
 * Returns an 8-character ID or document code in its stored form, from `7T0H NGEC` or `7t0h-ngec`; otherwise
 * undefined. Codes contain no I, L or O: as Crockford's base32 requires, they are read as 1 and 0.
 */
export function readCode(text: string): string | undefined {
  const code = ungrouped(text).toUpperCase().replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(code) ? code : undefined;
}

const WHOLE = /^[0-9]+$/;
/** 1,00,000 and 100,000; the last group has three digits, so that 1,50 is not read as 150. */
const GROUPED = /^[0-9]{1,3}(?:[, ][0-9]{2,3})*[, ][0-9]{3}$/;

/**
 * Returns rupees as a plain decimal with at most two places, from `₹1,00,000.50`, `Rs. 500`, `500/-` or
 * `५००`; otherwise undefined.
 */
export function readAmount(text: string): string | undefined {
  const plain = readDigits(text.normalize('NFKC'))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:₹|rs\.?|inr|रु\.?|रुपये) ?/iu, '')
    .replace(/ ?(?:₹|rs\.?|inr|रु\.?|रुपये)$/iu, '')
    .replace(/ ?\/[-=]$/, '');
  const [, rupees = '', paise = ''] = /^([0-9, ]*)(\.[0-9]{1,2})?$/.exec(plain) ?? [];
  if (rupees === '') return paise === '' ? undefined : `0${paise}`;
  if (!WHOLE.test(rupees) && !GROUPED.test(rupees)) return undefined;
  return rupees.replaceAll(/[, ]/g, '').replace(/^0+(?=[0-9])/, '') + paise;
}
