import { dayInIndia } from '@karaar/contracts/answer-by';
import type { Document } from '@karaar/contracts/documents/http';
import { activeLocale } from '@karaar/i18n';

const DAY_MS = 86_400_000;

/**
 * Returns the day of the newest reminder in words, for example 'yesterday'; null without one. Only the creator
 * gets the times.
 */
export function lastReminder({ parties }: Pick<Document, 'parties'>, now: Date): string | null {
  const newest = parties
    .flatMap(({ reminded_at }) => reminded_at ?? [])
    .toSorted()
    .at(-1);
  if (!newest) return null;
  const days = (Date.parse(dayInIndia(now)) - Date.parse(dayInIndia(new Date(newest)))) / DAY_MS;
  return new Intl.RelativeTimeFormat(activeLocale(), { numeric: 'auto' }).format(-days, 'day');
}
