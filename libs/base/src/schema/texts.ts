import type { Fault } from '../errors/index.ts';

/** A NUL or half of a surrogate pair: valid JSON, but neither Postgres text nor jsonb can store it. */
const unstorable = (text: string) => text.includes('\u0000') || !text.isWellFormed();

/**
 * Returns a text in its stored form: normalised (NFC), without control characters other than line breaks and
 * tabs, and without bidirectional control marks, which can make one name display as another. Right-to-left
 * scripts do not need the marks.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();

/** Returns a text of one line in its stored form, such as a name or place. */
export const oneLine = (text: string): string => plainText(text).replaceAll(/\s+/g, ' ');

const MAX_DEPTH = 64;

/** Returns faults for every text in a value (any depth) that no database can store. */
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
