/** The reachability of the product, as seen by this page. */

/** The number of consecutive requests without a response after which the product counts as unreachable. */
const SILENT_CALLS = 2;

let silent = 0;
let online = true;
const listeners = new Set<() => void>();

function update(): void {
  const next = navigator.onLine !== false && silent < SILENT_CALLS;
  if (next === online) return;
  online = next;
  for (const listener of listeners) listener();
}

/**
 * The connection: down if the device reports it, or if several requests in a row get no response. Any
 * response, also a server error, brings it up.
 */
export const connection = {
  isOnline: (): boolean => online,
  /** Records a response. */
  answered: (): void => {
    silent = 0;
    update();
  },
  /** Records a request without a response. */
  unanswered: (): void => {
    silent += 1;
    update();
  },
  /** Records that a check found the product unreachable. */
  lost: (): void => {
    silent = SILENT_CALLS;
    update();
  },
  /**
   * Calls back at each change.
   * @returns a function that unsubscribes
   */
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0) {
      window.addEventListener('online', update);
      window.addEventListener('offline', update);
    }
    listeners.add(listener);
    update();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  },
};
