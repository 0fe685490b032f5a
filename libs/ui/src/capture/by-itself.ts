/** The setting for automatic photos: on by default, until the user switches it off on this device. */

const KEY = 'capture_by_itself';

export const takesByItself = (): boolean => localStorage.getItem(KEY) !== 'off';

export function setByItself(byItself: boolean): void {
  if (byItself) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
