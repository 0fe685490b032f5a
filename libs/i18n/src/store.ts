/** Which language the page speaks and the messages that are there. One per page: the module is a federation singleton. */
import { setupI18n, type I18n } from '@lingui/core';
import { localeOf, type Language } from './languages.ts';

/** Values of a message's arguments. */
export type Values = Readonly<Record<string, string | number>>;

/** A catalog as its file has it; compiled in a build (libs/web-build/src/texts-loader.mjs), ICU text in tests. */
export type Messages = Readonly<Record<string, string>>;

/** How a catalog's file is fetched. */
export type LoadMessages = (language: Language) => Promise<{ default: Messages }>;

type Entry = { load: LoadMessages; loading: Map<Language, Promise<void>> };

/** Every language has an instance of its own: a text that falls back to English gets English plurals and numbers. */
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

/** The language in force. */
export const activeLanguage = (): Language => current;

/** The language in force, for Intl. */
export const activeLocale = (): string => localeOf(current);

/** Calls back after each change of the language; returns the way out. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Makes a catalog known. A second build that names the same catalog joins the first. */
export function registerCatalog(name: string, load: LoadMessages): void {
  if (!catalogs.has(name)) catalogs.set(name, { load, loading: new Map() });
}

async function fetchMessages(name: string, language: Language, load: LoadMessages): Promise<void> {
  const { default: messages } = await load(language);
  const named = Object.entries(messages).map(([key, message]) => [`${name}.${key}`, message]);
  speaker(language).load(language, Object.fromEntries(named) as Messages);
  there.add(mark(name, language));
}

/** Fetches a catalog once; a failed try is forgotten, so that the next one asks again. */
function ensure(name: string, language: Language): Promise<void> {
  const entry = catalogs.get(name);
  if (!entry) throw new Error(`There is no catalog "${name}"`);
  const running = entry.loading.get(language);
  if (running) return running;
  const loading = fetchMessages(name, language, entry.load).catch((error: unknown) => {
    entry.loading.delete(language);
    throw error;
  });
  entry.loading.set(language, loading);
  return loading;
}

/** Fetches a catalog in a language; in English when that one cannot be had. */
async function ensureReadable(name: string, language: Language): Promise<void> {
  try {
    await ensure(name, language);
  } catch (error) {
    if (language === 'en') throw error;
    reportError(error);
    await ensure(name, 'en');
  }
}

/** Fetches a catalog in the language in force. Rejects only when English cannot be had either. */
export const loadCatalog = (name: string): Promise<void> => ensureReadable(name, current);

/** Whether a catalog can be read now, in the language in force or in English. */
export const isReadable = (name: string): boolean =>
  there.has(mark(name, current)) || there.has(mark(name, 'en'));

/** Whether a catalog has a message, in the language in force or in English. */
export function hasMessage(name: string, key: string): boolean {
  const language = there.has(mark(name, current)) ? current : 'en';
  return there.has(mark(name, language)) && Object.hasOwn(speaker(language).messages, `${name}.${key}`);
}

/**
 * A message in words.
 * @throws when its catalog was not loaded: a bare key never reaches the page
 */
export function wordsOf(name: string, key: string, values?: Values): string {
  const language = there.has(mark(name, current)) ? current : 'en';
  if (!there.has(mark(name, language))) throw new Error(`The texts "${name}" are not loaded`);
  return speaker(language)._(`${name}.${key}`, values);
}

/**
 * Changes the language without a reload: fetches every catalog in use in that language first, then tells the listeners. Where
 * a catalog cannot be fetched its texts are English.
 */
export async function speak(language: Language): Promise<void> {
  const asked = new Set<string>();
  const inUse = () =>
    [...catalogs].flatMap(([name, { loading }]) => (loading.size > 0 && !asked.has(name) ? [name] : []));
  // A screen that loads meanwhile fetches its catalog in the language before: without a second look its texts would stay so.
  for (let names = inUse(); names.length > 0; names = inUse()) {
    for (const name of names) asked.add(name);
    await Promise.all(names.map((name) => ensureReadable(name, language)));
  }
  current = language;
  for (const listener of listeners) listener();
}
