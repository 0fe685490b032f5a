/** Converts between dates as written in India, 21/11/2026, and as stored, 2026-11-21. */
import { readPlain } from '@karaar/contracts/typed/read';

const INDIAN = /^(\d{1,2})\D+(\d{1,2})\D+(\d{4})$|^(\d{2})(\d{2})(\d{4})$/;
const YEAR_FIRST = /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})$/;

/** Returns the typed or pasted date, in digits of any script; undefined for an invalid date. */
export function readDay(typed: string): string | undefined {
  const text = readPlain(typed).trim();
  const [, ...parts] = INDIAN.exec(text) ?? [];
  const [, year, month, of] = YEAR_FIRST.exec(text) ?? [];
  const [day, inMonth, inYear] = year ? [of, month, year] : parts.filter(Boolean);
  const iso = `${inYear ?? ''}-${(inMonth ?? '').padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

/**
 * Returns the date of a text that the user has finished, also with a year of two digits (1/2/26), '' for no
 * text; undefined for an invalid date. While it is typed, such a year may be the first half of one.
 */
export const finishedDay = (typed: string): string | undefined =>
  typed && readDay(typed.replace(/^(\d{1,2}\/\d{1,2}\/)(?=\d{2}$)/, (whole) => `${whole}20`));

/** Returns a stored date as displayed; '' for none. */
export const writtenDay = (iso: string): string => iso.split('-').reverse().join('/');

/**
 * Returns the text of a field while a date is typed: adds the slashes, which numeric keyboards lack, and
 * reads other separators as slashes. A date with the year first, as pasted, becomes one as displayed.
 */
export function dayTyped(typed: string, before: string): string {
  const plain = readPlain(typed)
    .replaceAll(/[\p{L}\p{M}]/gu, '')
    .replaceAll(/\D+/g, '/')
    .replace(/^\//, '');
  const [yearFirst] = /^\d{4}\/\d{1,2}\/\d{1,2}/.exec(plain) ?? [];
  const text = yearFirst ? yearFirst.split('/').reverse().join('/') : plain.slice(0, 10);
  return text.length > before.length && /^\d{2}(\/\d{2})?$/.test(text) ? `${text}/` : text;
}
