import type { Fault } from '../errors/index.ts';

/** A NUL or half of a surrogate pair: valid JSON, but neither Postgres text nor jsonb can hold it. */
const unstorable = (text: string) => text.includes('\u0000') || !text.isWellFormed();

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
