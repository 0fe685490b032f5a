/** Form input that is not sent yet: kept over a reload of this tab, gone with the session or the tab. */
const PREFIX = 'entered:';

export const enteredStore = {
  /** What was kept last under a name, whatever it is by now; undefined for nothing. */
  read: (name: string): unknown => {
    const text = sessionStorage.getItem(PREFIX + name);
    try {
      return text === null ? undefined : (JSON.parse(text) as unknown);
    } catch {
      // Not ours: as if nothing had been entered.
      return undefined;
    }
  },
  write: (name: string, value: unknown): void => {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch (error) {
      // Storage is full: it stays on the page and does not outlive a reload.
      reportError(error);
    }
  },
  drop: (name: string): void => sessionStorage.removeItem(PREFIX + name),
  /** Nothing of one user is there for the next. */
  clear: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  },
};
