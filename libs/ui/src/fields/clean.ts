/** What a field keeps of what is typed or pasted (spec §5 Login). */

const INDIA = /^(?:\+91|0091|91(?=\d{10}$)|0(?=\d{10}$))/;

/** The 10 digits of an Indian number; +91, 0 and separators that a paste brings along are dropped. */
export function digitsOnly(text: string): string {
  const compact = text.trim().replaceAll(/[\s().-]/g, '');
  return compact.replace(INDIA, '').replaceAll(/\D/g, '').slice(0, 10);
}

/** Up to 6 letters and digits of a one-time code, in upper case; a whole message can be pasted. */
export function otpOnly(text: string, length = 6): string {
  const upper = text.toUpperCase();
  // In a pasted message the code is the one word of its length that holds a digit.
  const word = upper.match(/[A-Z0-9]+/g)?.find((part) => part.length === length && /\d/.test(part));
  const isMessage = /\s/.test(upper.trim()) && word !== undefined;
  return (isMessage ? word : upper.replaceAll(/[^A-Z0-9]/g, '')).slice(0, length);
}
