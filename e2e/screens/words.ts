import { existsSync, readFileSync } from 'node:fs';

const apps = new URL('../../apps/', import.meta.url);

/** `user-mfe/features/dashboard`: the folder whose `texts/` has the words. */
export type Catalog = string;

const read = (catalog: Catalog, language: string): Record<string, string> => {
  const [app = '', ...rest] = catalog.split('/');
  const file = new URL(`${app}/src/${rest.join('/')}/texts/${language}.json`, apps);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
};

/**
 * The longest fixed piece of a text in a language, English where it has none: enough to find what carries it.
 *
 * @throws Error when no catalog has the key: the screen has changed and its entry here has not
 */
export function wordOf(catalog: Catalog, key: string, language: string): string {
  const text = read(catalog, language)[key] ?? read(catalog, 'en')[key];
  if (text === undefined) throw new Error(`${catalog} has no text '${key}'`);
  const pieces = text.split(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/).map((piece) => piece.trim());
  return pieces.sort((a, b) => b.length - a.length)[0] ?? text;
}
