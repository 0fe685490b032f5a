/**
 * A service's own texts for users (e-mails, receipts) in the six languages; user interfaces use
 * `@karaar/i18n`.
 */
import type { Language } from '@karaar/contracts/limits';

/** Returns a text with its values filled in. Throws if a value is missing. */
export type Say<K extends string> = (
  language: Language,
  key: K,
  values?: Readonly<Record<string, string>>,
) => string;

/**
 * Returns a function that looks up texts.
 * @param texts texts of each language, all with the keys of the English ones; `{name}` is a placeholder
 */
export const createSay =
  <K extends string>(texts: Record<Language, Record<K, string>>): Say<K> =>
  (language, key, values = {}) =>
    texts[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text ${key} needs ${name}`);
      return value;
    });

/**
 * For `Intl`: India's grouping and calendar, with Latin digits in every language, since amounts are compared
 * across scripts.
 */
export const indianLocale = (language: Language): string => `${language}-IN-u-nu-latn`;
