/** What the receipt says, in the reader's language: all six stand in the page, since nothing can be fetched later. */
import type { Language } from '@karaar/contracts/limits';
import type { Check } from '@karaar/proof/check';
import { TEXTS, type Key } from '../texts.ts';

type Values = Record<string, string | number>;

/** Latin digits in every language, as everywhere in Karaar. */
const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`;

/** The first of the reader's languages that Karaar speaks. */
export const firstLanguage = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && Object.hasOwn(TEXTS, value);

/** A text with its values in place. */
export const say = (language: Language, key: Key, values: Values = {}): string =>
  TEXTS[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Every language under its own name. */
export const languageNames = Object.keys(TEXTS)
  .filter(isLanguage)
  .map((language) => ({ language, name: say(language, 'languageName') }));

/** A moment for people, in the reader's own zone, which it names. @param iso ISO 8601 */
export const moment = (language: Language, iso: string): string =>
  new Date(iso).toLocaleString(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** What a check is called, and what it means that it holds or not. @param time ISO 8601, of the timestamp */
export function wordsOf(language: Language, { name, ok }: Check, time: string | undefined) {
  const values: Values = time ? { time: moment(language, time) } : {};
  return {
    title: say(language, name),
    finding: say(language, ok ? `${name}Ok` : `${name}Bad`, values),
    verdict: say(language, ok ? 'ok' : 'bad'),
  };
}
