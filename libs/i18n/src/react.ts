import { lazy, use, useSyncExternalStore, type ComponentType, type LazyExoticComponent } from 'react';
import type { Language } from './languages.ts';
import { activeLanguage, onLanguage } from './store.ts';
import type { Say, Texts } from './texts.ts';

/** The language in force; the component is drawn again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, activeLanguage, activeLanguage);

const waiting = new WeakMap<object, Promise<void>>();

/** A promise that stays the same while it is waited for, as `use` asks. */
function loadOnce(texts: Pick<Texts<string>, 'load'>): Promise<void> {
  const known = waiting.get(texts);
  if (known) return known;
  const loading = texts.load().finally(() => waiting.delete(texts));
  waiting.set(texts, loading);
  return loading;
}

/**
 * The texts of a feature in the language in force: `t('sendOtp')`, `t('resendIn', { seconds })`. A screen that was made
 * by {@link screen} has them already; elsewhere the component waits for them.
 */
export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  useLanguage();
  if (!texts.isReadable()) use(loadOnce(texts));
  return texts.say;
}

/**
 * A screen that is loaded when it is first shown, together with its texts: both are asked for at once.
 * @param load imports the module whose default export is the screen
 * @param texts every catalog that the screen and its parts use
 */
export function screen<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  texts: readonly Pick<Texts<never>, 'load'>[],
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    const [module] = await Promise.all([load(), ...texts.map((each) => each.load())]);
    return module;
  });
}
