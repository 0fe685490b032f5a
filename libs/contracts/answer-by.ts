/**
 * The day by which a creator asks another party to answer: from today to one year ahead, in India. Pure, also
 * for the browser.
 */
import { isCalendarDay } from './calendar-day.ts';

const INDIA_OFFSET_MS = 5.5 * 60 * 60 * 1_000;

/** Returns the day in India, `YYYY-MM-DD`. */
export const dayInIndia = (now: Date): string =>
  new Date(now.getTime() + INDIA_OFFSET_MS).toISOString().slice(0, 10);

/** Returns the last day that can be chosen today: the same day of the next year, 28 February for the 29th. */
export function lastAnswerBy(today: string): string {
  const next = `${String(Number(today.slice(0, 4)) + 1).padStart(4, '0')}${today.slice(4)}`;
  return isCalendarDay(next) ? next : next.replace(/-29$/, '-28');
}

/** Returns true if a text is a calendar day that can be chosen today. */
export const isAnswerBy = (day: string, today: string): boolean =>
  isCalendarDay(day) && day >= today && day <= lastAnswerBy(today);

/** Returns true after the day; the day itself has not passed. */
export const hasPassed = (day: string, today: string): boolean => day < today;
