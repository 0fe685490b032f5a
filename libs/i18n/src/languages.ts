/** The languages of the product, and which of them a visitor gets at first. Needs nothing of the page but is given it. */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';

export { LANGUAGES, type Language };

/** Each language under the name that its own readers give it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  hi: 'हिन्दी',
  ta: 'தமிழ்',
  bn: 'বাংলা',
  mr: 'मराठी',
  te: 'తెలుగు',
};

/** Where the choice is kept in local storage. */
export const LANGUAGE_KEY = 'language';

export const isLanguage = (value: unknown): value is Language =>
  (LANGUAGES as readonly unknown[]).includes(value);

/**
 * The language for Intl: India's grouping and calendar, and Latin digits in every language, as codes and amounts are
 * compared across parties who may read different scripts.
 */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`;

/**
 * The language to begin with: the visitor's own choice, else the first of the browser's languages that Karaar speaks,
 * else English.
 * @param stored what the storage holds under {@link LANGUAGE_KEY}
 * @param preferred the browser's languages, the most wanted first (`navigator.languages`)
 */
export function firstLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

/** {@link firstLanguage} of this page. A browser that keeps nothing (storage is blocked) is asked for its languages. */
export function visitorsLanguage(): Language {
  let stored: string | null;
  try {
    stored = localStorage.getItem(LANGUAGE_KEY);
  } catch {
    stored = null;
  }
  return firstLanguage(stored, navigator.languages);
}
