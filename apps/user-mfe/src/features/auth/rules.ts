/** What the sign-in and registration forms accept (spec §5). */

/** A phone field takes digits only, at most 10. A pasted +91 in front of 10 digits is dropped. */
export function phoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  const national = digits.length > 10 && digits.startsWith('91') ? digits.slice(2) : digits;
  return national.slice(0, 10);
}

/** A one-time code has at most 6 characters; it is read without spaces and in capitals. */
export const otpCharacters = (typed: string): string => typed.replace(/\s/g, '').toUpperCase().slice(0, 6);

export const isWholePhone = (digits: string): boolean => /^\d{10}$/.test(digits);

/** The number as the calls carry it. */
export const withPrefix = (digits: string): string => `+91${digits}`;
