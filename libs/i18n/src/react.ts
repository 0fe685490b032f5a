import {
  createElement,
  isValidElement,
  use,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react';
import type { Language } from './languages.ts';
import { activeLanguage, onLanguage } from './store.ts';
import type { Say, Texts } from './texts.ts';

/** Returns the present language; the component renders again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, activeLanguage, activeLanguage);

const waiting = new WeakMap<object, Promise<void>>();

/** Returns the same promise until it settles, as `use` requires. */
function loadOnce(texts: Pick<Texts<string>, 'load'>): Promise<void> {
  const known = waiting.get(texts);
  if (known) return known;
  const loading = texts.load().finally(() => waiting.delete(texts));
  waiting.set(texts, loading);
  return loading;
}

/** A promise in the form that React marks as fulfilled, so that `use` continues at once. */
const come: PromiseLike<void> = Object.assign(Promise.resolve(), { status: 'fulfilled', value: undefined });

/**
 * Returns the texts of a feature in the present language: `t('sendOtp')`, `t('resendIn', { seconds })`. A
 * screen made by {@link screen} has loaded them; elsewhere the component suspends.
 */
export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  useLanguage();
  // Always called: after a suspension React expects `use` in the same place (else its error 467).
  use(texts.isReadable() ? come : loadOnce(texts));
  return texts.say;
}

/** Failed loads that have not been retried. */
const failures = new Set<() => Promise<unknown>>();

/** Asks again foreverything that could not be loaded; ends when all of it has come or failed once more. */
export async function reloadFailed(): Promise<void> {
  await Promise.allSettled([...failures].map((start) => start()));
}

/** A screen that can be loaded before it is shown. */
export type LoadableScreen<P> = ComponentType<P> & {
  preload: () => Promise<unknown>;
  /** Returns true if the last load failed. */
  hasFailed: () => boolean;
};

/**
 * A screen that is loaded when it is first shown or preloaded, together with its texts: both are asked for at once. Once
 * there it is drawn without a placeholder. A load that failed stays failed for the render that met it, so that an error
 * boundary can show it; the next `preload`, or {@link reloadFailed}, really asks again (React's `lazy` would keep the
 * failure forever).
 *
 * @param load imports the module whose default export is the screen
 * @param texts every catalog that the screen and its parts use
 */
export function screen<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  texts: readonly Pick<Texts<never>, 'load'>[],
): LoadableScreen<P> {
  let there: ComponentType<P> | null = null;
  let loading: Promise<ComponentType<P>> | null = null;
  let failed = false;

  const start = (): Promise<ComponentType<P>> => {
    failed = false;
    failures.delete(start);
    loading = Promise.all([load(), ...texts.map((each) => each.load())]).then(([module]) => module.default);
    loading.then(
      (component) => (there = component),
      () => {
        failed = true;
        failures.add(start);
      },
    );
    return loading;
  };

  const Screen = (props: P) => createElement(there ?? use(loading ?? start()), props);
  return Object.assign(Screen, {
    preload: () => (loading && !failed ? loading : start()),
    hasFailed: () => failed,
  });
}

/**
 * Returns the preload function of a route's element; undefined for an element that is not a {@link screen}.
 */
export function preloadOf(element: ReactNode): (() => Promise<unknown>) | undefined {
  if (!isValidElement(element) || typeof element.type !== 'function') return undefined;
  const { preload } = element.type as Partial<LoadableScreen<never>>;
  return typeof preload === 'function' ? preload : undefined;
}
