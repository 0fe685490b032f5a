/** The day by which a creator asks another party to answer: in India, from today to one year ahead. Pure, also for screens. */
import { isCalendarDay } from './calendar-day.ts';

const INDIA_OFFSET_MS = 5.5 * 60 * 60 * 1_000;

/** The day in India, `YYYY-MM-DD`. */
export const dayInIndia = (now: Date): string =>
  new Date(now.getTime() + INDIA_OFFSET_MS).toISOString().slice(0, 10);

/** The last day that can be chosen today: the same day of the next year, 28 February for the 29th. */
export function lastAnswerBy(today: string): string {
  const next = `${String(Number(today.slice(0, 4)) + 1).padStart(4, '0')}${today.slice(4)}`;
  return isCalendarDay(next) ? next : next.replace(/-29$/, '-28');
}

/** Whether a text is a day of the calendar that a party can be asked to answer by. */
export const isAnswerBy = (day: string, today: string): boolean =>
  isCalendarDay(day) && day >= today && day <= lastAnswerBy(today);

/** Whether the day has passed without an answer. The day itself has not passed. */
export const hasPassed = (day: string, today: string): boolean => day < today;
