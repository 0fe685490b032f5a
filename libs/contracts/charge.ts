/**
 * The cost of a document, computed in the same way by services and user interfaces (design §3 Days and
 * money). Code uses integer paise; only the wire format has rupees.
 */

const DAY_MS = 86_400_000;

/** The daily rate while none is set, in paise (spec §9: "The daily rate defaults to 1"). */
export const DEFAULT_DAILY_RATE_PAISE = 100;

/** The relative error of a few steps of binary arithmetic (0.1 × 3). */
const NOISE = 8 * Number.EPSILON;

/**
 * Rupees with at most two decimals → integer paise. @throws RangeError for more decimals or an unsafe number
 */
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
 * Returns the days from start to end, both included: the same day is 1, the 1st to the 7th is 7. Returns 1 if
 * a date is missing or the end is before the start. Dates are `YYYY-MM-DD`.
 */
export function durationDays(start: string | null | undefined, end: string | null | undefined): number {
  if (!start || !end) return 1;
  const days = Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / DAY_MS) + 1;
  return Number.isFinite(days) && days > 0 ? days : 1;
}

/** Returns the price of a document in integer paise. */
export const totalPaise = (dailyRatePaise: number, days: number): number => dailyRatePaise * days;
