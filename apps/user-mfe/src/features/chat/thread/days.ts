/** Days in Indian time (spec §9: chat times are shifted by +5:30). */
const INDIA_MS = 5.5 * 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

const dayNumber = (time: number) => Math.floor((time + INDIA_MS) / DAY_MS);

export type DayName = 'today' | 'yesterday' | 'date';

/**
 * Returns the name of a day relative to now.
 * @param now milliseconds
 */
export function dayName(iso: string, now: number): DayName {
  const ago = dayNumber(now) - dayNumber(Date.parse(iso));
  if (ago <= 0) return 'today';
  return ago === 1 ? 'yesterday' : 'date';
}

/** Returns true if two moments are on the same day in India. */
export const sameDay = (a: string, b: string): boolean =>
  dayNumber(Date.parse(a)) === dayNumber(Date.parse(b));

/** Returns the milliseconds until the next day begins in India. */
export const untilMidnight = (now: number): number => DAY_MS - ((now + INDIA_MS) % DAY_MS);
