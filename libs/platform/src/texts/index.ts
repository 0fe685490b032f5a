/** What a service itself says to people (e-mails, receipts), in the six languages; screens have their own way (`@karaar/i18n`). */
import type { Language } from '@karaar/contracts/limits';

/** A text in a language, with its values put in. Throws when a value that the text needs is missing. */
export type Say<K extends string> = (
  language: Language,
  key: K,
  values?: Readonly<Record<string, string>>,
) => string;

/** @param texts of each language, all with the keys of the English ones; `{name}` stands for a value */
export const createSay =
  <K extends string>(texts: Record<Language, Record<K, string>>): Say<K> =>
  (language, key, values = {}) =>
    texts[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text ${key} needs ${name}`);
      return value;
    });

/** For `Intl`: India's grouping and calendar, and Latin digits in every language, since amounts are compared across scripts. */
export const indianLocale = (language: Language): string => `${language}-IN-u-nu-latn`;
