/** What the sign-in and registration forms accept (spec §5). */

export const isWholePhone = (digits: string): boolean => /^\d{10}$/.test(digits);

/** The number as the calls carry it. */
export const withPrefix = (digits: string): string => `+91${digits}`;
