/**
 * Unsent form input, kept across a reload of this tab and an expired session. Signing out and another user
 * delete it.
 */
const PREFIX = 'entered:';
/** The id of the user whose input is stored. */
const OWNER = 'entered:owner';

export const enteredStore = {
  /** Returns the value stored under a name, unvalidated; undefined without one. */
  read: (name: string): unknown => {
    const text = sessionStorage.getItem(PREFIX + name);
    try {
      return text === null ? undefined : (JSON.parse(text) as unknown);
    } catch {
      // Invalid data counts as no input.
      return undefined;
    }
  },
  write: (name: string, value: unknown): void => {
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch (error) {
      // Storage is full: the input stays on the page but is lost on reload.
      reportError(error);
    }
  },
  drop: (name: string): void => sessionStorage.removeItem(PREFIX + name),
  /**
   * Prepares the store for a user: input of another user, or of an unknown one, is deleted.
   * @returns false if there was such input
   */
  openFor: (userId: string): boolean => {
    const owner = sessionStorage.getItem(OWNER);
    const isOwn = owner === userId || !Object.keys(sessionStorage).some((key) => key.startsWith(PREFIX));
    if (!isOwn) enteredStore.clear();
    sessionStorage.setItem(OWNER, userId);
    return isOwn;
  },
  /** Deletes everything, so that the next user sees no input of this one. */
  clear: (): void => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  },
};
