/** The spellings of one name: as files, identifiers, tables and people have it. */
import { Refusal } from './refusal.ts';

export type Names = {
  /** `price-alerts`: folders, files and paths. */
  kebab: string;
  /** `priceAlerts`, `PriceAlerts`: identifiers for all of them. */
  camel: string;
  pascal: string;
  /** `PriceAlert`: identifiers for one of them; the same as `pascal` where the name is not a plural. */
  one: string;
  /** `priceAlert`. */
  oneCamel: string;
  /** `price_alerts`: the table. */
  snake: string;
  /** `price alerts`, `price alert`: in texts. */
  words: string;
  oneWords: string;
};

const MAX = 30;

/** Words that cannot name a variable in JavaScript or a table in SQL without quotes. */
const RESERVED = new Set(
  (
    'all analyse analyze and any array as asc asymmetric await both break case cast catch check class collate ' +
    'column const constraint continue create debugger default deferrable delete desc distinct do else end ' +
    'enum except export extends false fetch finally for foreign from function grant group having if implements ' +
    'import in initially instanceof interface intersect into lateral leading let limit localtime new not null ' +
    'offset on only or order package placing primary private protected public references return returning ' +
    'select static super switch symmetric table then this throw to trailing true try typeof union unique user ' +
    'using var variadic void when where while window with yield'
  ).split(' '),
);

/** Files beside the services' folders in libs/contracts, and names that the gateway keeps for itself. */
const TAKEN_SERVICES = new Set(
  'api charge converter dev docs files gateway health kit limits log node openapi sandbox services socket witness'.split(
    ' ',
  ),
);

/** A service's name: one word, since it is part of subjects, streams, databases and variables alike. */
export function serviceName(text: string): Names {
  if (!/^[a-z][a-z0-9]*$/.test(text) || text.length < 2 || text.length > MAX) {
    throw new Refusal(
      `"${text}" is no name for a service: one word of 2 to ${MAX} small letters and digits, such as "reminders".`,
    );
  }
  if (TAKEN_SERVICES.has(text)) throw new Refusal(`"${text}" has a meaning in the house already.`);
  return namesOf(text);
}

/** A feature's name: small words with hyphens, in the plural where there are many of them. */
export function featureName(text: string): Names {
  if (!isKebab(text)) {
    throw new Refusal(
      `"${text}" is no name for a feature: small letters, digits and single hyphens, 2 to ${MAX} of them, such as "price-alerts".`,
    );
  }
  return namesOf(text);
}

/** What a migration does: small words with hyphens. */
export function migrationName(text: string): string {
  if (!isKebab(text, 60)) {
    throw new Refusal(
      `"${text}" is no name for a migration: say in small words with hyphens what it does, such as "add-due-date".`,
    );
  }
  return text;
}

/** `add-due-date` as an identifier. */
export const camelOf = (kebab: string): string =>
  kebab.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function isKebab(text: string, max = MAX): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(text) && text.length >= 2 && text.length <= max;
}

function namesOf(kebab: string): Names {
  if (RESERVED.has(kebab))
    throw new Refusal(`"${kebab}" is a word of JavaScript or SQL. Choose another name.`);
  const singular = singularOf(kebab);
  const camel = camelOf(kebab);
  const oneCamel = camelOf(singular);
  return {
    kebab,
    camel,
    pascal: capital(camel),
    one: capital(oneCamel),
    oneCamel: RESERVED.has(oneCamel) ? `one${capital(oneCamel)}` : oneCamel,
    snake: kebab.replaceAll('-', '_'),
    words: kebab.replaceAll('-', ' '),
    oneWords: singular.replaceAll('-', ' '),
  };
}

/** Good enough for names that people type here: `entries`, `boxes`, `pages`, `ledger`, `address`. */
function singularOf(kebab: string): string {
  if (/(ss|us|is)$/.test(kebab)) return kebab;
  if (/[^aeiou]ies$/.test(kebab)) return kebab.replace(/ies$/, 'y');
  if (/(x|ch|sh|ss)es$/.test(kebab)) return kebab.replace(/es$/, '');
  return kebab.length > 2 ? kebab.replace(/s$/, '') : kebab;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
