/** The language files of the screens. `npm run texts` lists missing and wrong texts. */
import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { untranslatedWords } from '@karaar/testing/latin-words';
import { parse, type Token } from '@messageformat/parser';
import { dirname } from 'node:path';
import { sourceFiles, textOf } from './testing/source-files.ts';

/** The texts of a feature: the folder of its `texts.ts`, and the messages of each language. */
export type Catalog = { folder: string; messages: Partial<Record<Language, Record<string, string>>> };

const FILE = /\/texts\/([a-z]{2})\.json$/;

export function catalogs(): Catalog[] {
  const files = sourceFiles(
    'apps/**/texts/*.json',
    'libs/**/texts/*.json',
    'services/**/texts/*.json',
  ).filter((path) => FILE.test(path));
  const folders = [...new Set(files.map((path) => dirname(dirname(path))))];
  return folders.map((folder) => ({
    folder,
    messages: Object.fromEntries(
      files
        .filter((path) => dirname(dirname(path)) === folder)
        .map((path) => [FILE.exec(path)?.[1], JSON.parse(textOf(path)) as Record<string, string>]),
    ) as Catalog['messages'],
  }));
}

/**
 * Returns the arguments of a message with their kinds (e.g. `{ count: 'plural' }`), its literal text, and the
 * cases of its plurals.
 * @throws Error for invalid ICU MessageFormat
 */
export function readMessage(message: string): {
  args: Record<string, string>;
  text: string;
  cases: string[][];
} {
  const args: Record<string, string> = {};
  const cases: string[][] = [];
  let text = '';
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'content') text += token.value;
      else if (token.type === 'argument') args[token.arg] ??= 'value';
      else if (token.type === 'function') args[token.arg] = token.key;
      else if (token.type === 'plural' || token.type === 'select' || token.type === 'selectordinal') {
        args[token.arg] = token.type;
        if (token.type === 'plural') cases.push(token.cases.map(({ key }) => key));
        for (const { tokens: inner } of token.cases) walk(inner);
      }
    }
  };
  walk(parse(message));
  return { args, text, cases };
}

/** Compares one message with the English one and returns its faults. */
function messageFaults(language: Language, english: string, message: string): string[] {
  if (message.trim() === '') return ['is empty'];
  if (message !== message.trim()) return ['begins or ends with a blank'];
  const [own, base] = [readMessage(message), readMessage(english)];
  const faults: string[] = [];
  if (JSON.stringify(sorted(own.args)) !== JSON.stringify(sorted(base.args)))
    faults.push(`has the arguments ${JSON.stringify(own.args)}, English has ${JSON.stringify(base.args)}`);
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const keys of own.cases)
    if (needed.some((category) => !keys.includes(category)))
      faults.push(`needs a text for each of: ${needed.join(', ')}`);
  const latin = language === 'en' ? [] : untranslatedWords(own.text);
  if (latin.length > 0) faults.push(`is not translated: ${latin.join(', ')}`);
  return faults;
}

const sorted = (args: Record<string, string>) => Object.entries(args).sort(([a], [b]) => a.localeCompare(b));

export function catalogFaults({ folder, messages }: Catalog): string[] {
  const english = messages.en;
  if (!english) return [`${folder}/texts/en.json is missing`];
  return LANGUAGES.flatMap((language) => {
    const path = `${folder}/texts/${language}.json`;
    const own = messages[language];
    if (!own) return [`${path} is missing`];
    const keys = Object.keys(english);
    const missing = keys.filter((key) => !(key in own)).map((key) => `${path}: ${key} is missing`);
    const extra = Object.keys(own)
      .filter((key) => !(key in english))
      .map((key) => `${path}: ${key} is not in English`);
    const wrong = keys
      .filter((key) => key in own)
      .flatMap((key) =>
        messageFaults(language, english[key] ?? '', own[key] ?? '').map(
          (fault) => `${path}: ${key} ${fault}`,
        ),
      );
    return [...missing, ...extra, ...wrong];
  });
}

if (import.meta.main) {
  const faults = catalogs().flatMap(catalogFaults);
  console.log(faults.length === 0 ? 'All texts are there in all languages.' : faults.join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
}
