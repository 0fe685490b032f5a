/** What a field keeps of what is typed or pasted (spec §5). */

/** Digits of the scripts that people in India write with; each row holds ten of them in order. */
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]/g;

/** Indian rows begin at U+..66 or U+..E6, the Arabic ones at U+..60 or U+..F0. */
const latinDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0;
  return String(point < 0x0900 ? point & 0xf : (point & 0x7f) - 0x66);
};

/** A keyboard in Hindi or Tamil types digits of its own: ९ is 9. */
const latinDigits = (text: string): string => text.replaceAll(DIGITS, latinDigit);

const INDIA = /^(?:\+91|0091|91(?=\d{10}$)|0(?=\d{10}$))/;

/** The 10 digits of an Indian number; +91, 0 and separators that a paste brings along are dropped. */
export function digitsOnly(text: string): string {
  const compact = latinDigits(text)
    .trim()
    .replaceAll(/[\s().-]/g, '');
  return compact.replace(INDIA, '').replaceAll(/\D/g, '').slice(0, 10);
}

/** Up to 6 letters and digits of a one-time code, in upper case; a whole message can be pasted. */
export function otpOnly(text: string, length = 6): string {
  const upper = latinDigits(text).toUpperCase();
  // In a pasted message the code is the one word of its length that holds a digit.
  const word = upper.match(/[A-Z0-9]+/g)?.find((part) => part.length === length && /\d/.test(part));
  const isMessage = /\s/.test(upper.trim()) && word !== undefined;
  return (isMessage ? word : upper.replaceAll(/[^A-Z0-9]/g, '')).slice(0, length);
}

/** Characters of a document code and of a user ID. */
export const CODE_LENGTH = 8;

/** Up to 8 letters and digits of a code or ID, in upper case; blanks and hyphens between its groups are dropped. */
export function codeOnly(text: string): string {
  const upper = latinDigits(text).toUpperCase();
  return upper.replaceAll(/[^A-Z0-9]/g, '').slice(0, CODE_LENGTH);
}
