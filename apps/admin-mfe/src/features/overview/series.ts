/** Numbers by day, without gaps. */
import { serverClock } from '@karaar/api-client';
import { activeLocale } from '@karaar/i18n';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** India is five and a half hours ahead of UTC, all year. */
const INDIA_MS = 5.5 * 60 * 60 * 1_000;

/** Returns the last days in India as 2026-11-21, today last. */
export const lastDays = (count: number, now = serverClock.now()): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(now + INDIA_MS - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );

/** Returns one number per day, 0 without data; several values of a day are summed. */
export function seriesOf<T extends { day: string }>(
  days: readonly string[],
  figures: readonly T[],
  valueOf: (figure: T) => number,
): { day: string; value: number }[] {
  const sums = new Map<string, number>();
  for (const figure of figures) sums.set(figure.day, (sums.get(figure.day) ?? 0) + valueOf(figure));
  return days.map((day) => ({ day, value: sums.get(day) ?? 0 }));
}

/** Returns a day as the axis label: 21 Nov. */
export function dayLabel({ day, value }: { day: string; value: number }): { label: string; value: number } {
  const date = new Date(`${day}T00:00:00Z`);
  const label = new Intl.DateTimeFormat(activeLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return { label: label.format(date), value };
}
