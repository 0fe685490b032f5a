import { existsSync, readFileSync } from 'node:fs';

const apps = new URL('../../apps/', import.meta.url);

const read = (catalog: string, language: string): Record<string, string> => {
  const [app = '', ...rest] = catalog.split('/');
  const file = new URL(`${app}/src/${rest.join('/')}/texts/${language}.json`, apps);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
};

/**
 * Returns the longest part of a text without placeholders, in a language or else in English.
 *
 * @param catalog the folder with its `texts/`: `user-mfe/features/dashboard`
 * @throws Error if the catalog does not have the key
 */
export function wordOf(catalog: string, key: string, language: string): string {
  const text = read(catalog, language)[key] ?? read(catalog, 'en')[key];
  if (text === undefined) throw new Error(`${catalog} has no text '${key}'`);
  const pieces = text.split(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/).map((piece) => piece.trim());
  return pieces.sort((a, b) => b.length - a.length)[0] ?? text;
}
