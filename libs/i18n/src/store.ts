/** The page's language and the loaded messages. One per page: the module is a federation singleton. */
import { setupI18n, type I18n } from '@lingui/core';
import { localeOf, type Language } from './languages.ts';

/** Values of a message's arguments. */
export type Values = Readonly<Record<string, string | number>>;

/**
 * The messages of a catalog file; compiled in a build (libs/web-build/src/texts-loader.mjs), ICU text in
 * tests.
 */
export type Messages = Readonly<Record<string, string>>;

/** Loads a catalog's file. */
export type LoadMessages = (language: Language) => Promise<{ default: Messages }>;

type Entry = { load: LoadMessages; loading: Map<Language, Promise<void>> };

/** One instance per language: a text that falls back to English needs English plurals and numbers. */
const speakers = new Map<Language, I18n>();
const catalogs = new Map<string, Entry>();
const listeners = new Set<() => void>();
let current: Language = 'en';

const there = new Set<string>();
const mark = (name: string, language: Language) => `${language}/${name}`;

function speaker(language: Language): I18n {
  const known = speakers.get(language);
  if (known) return known;
  const made = setupI18n({ messages: { [language]: {} }, locale: language, locales: localeOf(language) });
  speakers.set(language, made);
  return made;
}

/** Returns the present language. */
export const activeLanguage = (): Language => current;

/** Returns the present locale, for Intl. */
export const activeLocale = (): string => localeOf(current);

/** Calls back after each change of the language; returns a function that unsubscribes. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Registers a catalog. A second build with the same name shares it. */
export function registerCatalog(name: string, load: LoadMessages): void {
  if (!catalogs.has(name)) catalogs.set(name, { load, loading: new Map() });
}

async function fetchMessages(name: string, language: Language, load: LoadMessages): Promise<void> {
  const { default: messages } = await load(language);
  const named = Object.entries(messages).map(([key, message]) => [`${name}.${key}`, message]);
  speaker(language).load(language, Object.fromEntries(named) as Messages);
  there.add(mark(name, language));
}

/** Loads a catalog once; a failed load is forgotten, so that the next call retries. */
function ensure(name: string, language: Language): Promise<void> {
  const entry = catalogs.get(name);
  if (!entry) throw new Error(`Unknown catalog: "${name}"`);
  const running = entry.loading.get(language);
  if (running) return running;
  const loading = fetchMessages(name, language, entry.load).catch((error: unknown) => {
    entry.loading.delete(language);
    throw error;
  });
  entry.loading.set(language, loading);
  return loading;
}

/** Loads a catalog in a language; in English if that fails. */
async function ensureReadable(name: string, language: Language): Promise<void> {
  try {
    await ensure(name, language);
  } catch (error) {
    if (language === 'en') throw error;
    reportError(error);
    await ensure(name, 'en');
  }
}

/** Loads a catalog in the present language. Rejects only if English fails too. */
export const loadCatalog = (name: string): Promise<void> => ensureReadable(name, current);

/** Returns true if a catalog is loaded in the present language or in English. */
export const isReadable = (name: string): boolean =>
  there.has(mark(name, current)) || there.has(mark(name, 'en'));

/** Returns true if a catalog has a message in the present language or in English. */
export function hasMessage(name: string, key: string): boolean {
  const language = there.has(mark(name, current)) ? current : 'en';
  return there.has(mark(name, language)) && Object.hasOwn(speaker(language).messages, `${name}.${key}`);
}

/**
 * Returns the text of a message.
 * @throws Error if its catalog is not loaded: a bare key must never reach the page
 */
export function wordsOf(name: string, key: string, values?: Values): string {
  const language = there.has(mark(name, current)) ? current : 'en';
  if (!there.has(mark(name, language))) throw new Error(`The texts "${name}" are not loaded`);
  return speaker(language)._(`${name}.${key}`, values);
}

/**
 * Changes the language without a reload: loads every catalog in use first, then notifies the listeners. A
 * catalog that cannot be loaded stays English.
 */
export async function speak(language: Language): Promise<void> {
  const requested = new Set<string>();
  const inUse = () =>
    [...catalogs].flatMap(([name, { loading }]) => (loading.size > 0 && !requested.has(name) ? [name] : []));
  // Repeat for screens that loaded a catalog in the previous language meanwhile.
  for (let names = inUse(); names.length > 0; names = inUse()) {
    for (const name of names) requested.add(name);
    await Promise.all(names.map((name) => ensureReadable(name, language)));
  }
  current = language;
  for (const listener of listeners) listener();
}
