/**
 * The present theme: the visitor's choice, else the device's. Stored in local storage, applied by an
 * attribute.
 */

export type Theme = 'light' | 'dark';

/** The local storage key of the choice; apps/shell/src/start reads it before the first paint. */
export const THEME_KEY = 'theme';

const listeners = new Set<() => void>();
const deviceIsDark = () => matchMedia('(prefers-color-scheme: dark)');

/** Reads the storage each time, because another tab may have changed it. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return deviceIsDark().matches ? 'dark' : 'light';
}

function changed(): void {
  document.documentElement.dataset['mantineColorScheme'] = currentTheme();
  for (const listener of listeners) listener();
}

/** Applies and stores the visitor's choice. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(THEME_KEY, theme);
  changed();
}

/**
 * Calls back after each change, here, in another tab or by the device; returns a function that unsubscribes.
 */
export function onTheme(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', changed);
    deviceIsDark().addEventListener('change', changed);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('storage', changed);
    deviceIsDark().removeEventListener('change', changed);
  };
}
