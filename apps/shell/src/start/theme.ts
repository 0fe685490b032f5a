/** Applies the stored or the device's theme before the first paint, so that nothing flashes. */
export function applyStoredTheme(): void {
  const stored = localStorage.getItem('theme');
  const dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['mantineColorScheme'] = dark ? 'dark' : 'light';
}
