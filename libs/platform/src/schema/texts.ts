import type { Fault } from '../errors/index.ts';

/** A NUL or half of a surrogate pair: valid JSON, but neither Postgres text nor jsonb can hold it. */
const unstorable = (text: string) => text.includes('\u0000') || !text.isWellFormed();

/**
 * A text as people see it and as it is kept: in one form (NFC), without control characters other than line breaks and
 * tabs, and without the marks that turn the direction of writing, by which a name can read as another one. Scripts that
 * run from right to left do so by themselves.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** The same for what is in one line: a name, a place. */
export const oneLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ');

const MAX_DEPTH = 64;

/** Faults for every text in a value (any depth) that no database can store. */
export function unstorableTexts(value: unknown, loc: string, depth = 0): Fault[] {
  if (typeof value === 'string') {
    return unstorable(value) ? [{ loc, msg: 'contains characters that cannot be stored' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth > MAX_DEPTH) return [{ loc, msg: 'is nested too deeply' }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = loc === '' || loc === 'body' ? key : `${loc}.${key}`;
    const keyFaults = unstorable(key) ? [{ loc, msg: 'contains characters that cannot be stored' }] : [];
    return [...keyFaults, ...unstorableTexts(inner, at, depth + 1)];
  });
}
