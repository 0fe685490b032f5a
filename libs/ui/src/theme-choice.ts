/** The theme in force: the visitor's choice, else the device's. Kept in local storage, shown by an attribute. */

export type Theme = 'light' | 'dark';

/** Under which local storage keeps the choice; apps/shell/src/start reads it before anything is drawn. */
export const THEME_KEY = 'theme';

const listeners = new Set<() => void>();
const deviceIsDark = () => matchMedia('(prefers-color-scheme: dark)');

/** What the storage holds is what the page shows, also when another tab has changed it. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(THEME_KEY);
  if (stored === 'light' || stored === 'dark') return stored;
  return deviceIsDark().matches ? 'dark' : 'light';
}

function changed(): void {
  document.documentElement.dataset['mantineColorScheme'] = currentTheme();
  for (const listener of listeners) listener();
}

/** The visitor's own choice, at once and for the next visits. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(THEME_KEY, theme);
  changed();
}

/** Calls back after each change, by the visitor here or in another tab, or by the device; returns the way out. */
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
