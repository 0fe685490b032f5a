const FREE = 3;
const MINUTE_MS = 60_000;
const doubling = (failures: number, longestMs: number): number =>
  failures <= FREE ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - FREE - 1));

/** Lock time in milliseconds after wrong passwords for a name from one address. */
export const passwordLockMs = (failures: number): number => doubling(failures, 15 * MINUTE_MS);

/**
 * Lock time in milliseconds after wrong codes of an admin whose password was right. Three of a million codes
 * are right at any moment: with a day between later attempts, guessing takes centuries.
 */
export const codeLockMs = (failures: number): number => doubling(failures, 24 * 60 * MINUTE_MS);
