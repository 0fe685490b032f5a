/**
 * The cost of a document, computed in the same way by services and screens (design §3 Days and money).
 * Money is integer paise inside; rupees appear on the wire only.
 */

const DAY_MS = 86_400_000;

/** The daily rate while none is set, in paise (spec §9: "The daily rate defaults to 1"). */
export const DEFAULT_DAILY_RATE_PAISE = 100;

/** The relative error that a few steps of binary arithmetic may cause (0.1 × 3). */
const NOISE = 8 * Number.EPSILON;

/** Rupees with at most two decimals → integer paise. Throws RangeError for anything finer or unsafe. */
export function toPaise(rupees: number): number {
  const paise = Math.round(rupees * 100);
  if (!Number.isSafeInteger(paise) || Math.abs(rupees * 100 - paise) > NOISE * Math.max(1, Math.abs(paise))) {
    throw new RangeError('An amount in rupees has at most two decimals.');
  }
  return paise;
}

/** Integer paise → rupees as a JSON number with at most two decimals. */
export const toRupees = (paise: number): number => paise / 100;

/**
 * Days from start to end, both counted: the same day is 1, the 1st to the 7th is 7. Without both dates 1.
 * Dates are `YYYY-MM-DD`; an end before the start counts as 1.
 */
export function durationDays(start: string | null | undefined, end: string | null | undefined): number {
  if (!start || !end) return 1;
  const days = Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / DAY_MS) + 1;
  return Number.isFinite(days) && days > 0 ? days : 1;
}

/** Daily rate times days, in paise. */
export const totalPaise = (dailyRatePaise: number, days: number): number => dailyRatePaise * days;
