/**
 * The words of the certificate in each of its languages: `texts/` has the format of all texts of the product
 * (libs/i18n/README.md). Inserted values keep their markup, in the order of the language.
 */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { parse, type Token } from '@messageformat/parser';
import { momentIn } from './format.ts';
import { html, type Html } from './html.ts';
import bn from './texts/bn.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import hi from './texts/hi.json' with { type: 'json' };
import mr from './texts/mr.json' with { type: 'json' };
import ta from './texts/ta.json' with { type: 'json' };
import te from './texts/te.json' with { type: 'json' };

export type Key = keyof typeof en;

/** A language into which the certificate is translated. */
export type Translated = Exclude<Language, 'en'>;

const TEXTS: Record<Language, Record<Key, string>> = { en, hi, ta, bn, mr, te };

/** The words of one language. */
export interface Words {
  language: Language;
  /**
   * Returns a text with its values.
   * @throws Error if a value is missing
   */
  say: (key: Key, values?: Readonly<Record<string, Html | string | number>>) => Html;
  /** Returns the tokens of a text, for styles, which are not markup. */
  tokens: (key: Key) => readonly Token[];
  /** "21 Nov 2026, 14:05:09 IST" for an ISO 8601 instant. */
  moment: (iso: string) => string;
}

export const isTranslated = (language: string): language is Translated =>
  language !== 'en' && (LANGUAGES as readonly string[]).includes(language);

const made = new Map<Language, Words>();

export function wordsOf(language: Language): Words {
  const words = made.get(language) ?? makeWords(language);
  made.set(language, words);
  return words;
}

function makeWords(language: Language): Words {
  const parsed = new Map<Key, readonly Token[]>();
  const tokens = (key: Key): readonly Token[] => {
    const found = parsed.get(key) ?? parse(TEXTS[language][key]);
    parsed.set(key, found);
    return found;
  };
  const plurals = new Intl.PluralRules(language);

  const say: Words['say'] = (key, values = {}) => {
    const valueOf = (name: string): Html | string | number => {
      const value = values[name];
      if (value === undefined) throw new Error(`The text "${key}" needs "${name}"`);
      return value;
    };
    const write = (list: readonly Token[], count?: number): Html =>
      html`${list.map((token) => {
        if (token.type === 'content') return token.value;
        if (token.type === 'argument') return valueOf(token.arg);
        if (token.type === 'octothorpe') return count;
        if (token.type !== 'plural') throw new Error(`The text "${key}" has a "${token.type}"`);
        const n = Number(valueOf(token.arg));
        const fitting = (one: string): boolean => one === plurals.select(n);
        const chosen =
          token.cases.find((one) => fitting(one.key)) ?? token.cases.find((one) => one.key === 'other');
        return write(chosen?.tokens ?? [], n);
      })}`;
    return write(tokens(key));
  };

  return { language, say, tokens, moment: momentIn(language) };
}

/** Every certificate is first in English. */
export const ENGLISH = wordsOf('en');
