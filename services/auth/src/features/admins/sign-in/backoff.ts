/** How long sign-in is locked after the n-th failure in a row: not at first, then for twice as long each time. */

const FREE = 3;
const MINUTE_MS = 60_000;
const doubling = (failures: number, longestMs: number): number =>
  failures <= FREE ? 0 : Math.min(longestMs, 1_000 * 2 ** (failures - FREE - 1));

/** After wrong passwords for a name from one address. */
export const passwordLockMs = (failures: number): number => doubling(failures, 15 * MINUTE_MS);

/**
 * After wrong codes of an admin whose password was right. Three of a million codes are right at any moment: with a
 * day between later attempts, guessing takes centuries.
 */
export const codeLockMs = (failures: number): number => doubling(failures, 24 * 60 * MINUTE_MS);
