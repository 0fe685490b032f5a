/** The languages of the product, and the choice of a visitor's first one. Without access to the page. */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';

export { LANGUAGES, type Language };

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  hi: 'हिन्दी',
  ta: 'தமிழ்',
  bn: 'বাংলা',
  mr: 'मराठी',
  te: 'తెలుగు',
};

/** The local storage key of the choice. */
export const LANGUAGE_KEY = 'language';

export const isLanguage = (value: unknown): value is Language =>
  (LANGUAGES as readonly unknown[]).includes(value);

/**
 * Returns the locale for Intl: Indian grouping and calendar, and Latin digits in every language, because
 * parties who read different scripts compare codes and amounts.
 */
export const localeOf = (language: Language): string => `${language}-IN-u-nu-latn`;

/**
 * Returns the first language: the visitor's choice, else the browser's first supported language, else
 * English.
 * @param stored the stored value of {@link LANGUAGE_KEY}
 * @param preferred the browser's languages, the preferred first (`navigator.languages`)
 */
export function firstLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return preferred.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

/** Returns {@link firstLanguage} for this page; if storage is blocked, from the browser's languages only. */
export function visitorsLanguage(): Language {
  let stored: string | null;
  try {
    stored = localStorage.getItem(LANGUAGE_KEY);
  } catch {
    stored = null;
  }
  return firstLanguage(stored, navigator.languages);
}
