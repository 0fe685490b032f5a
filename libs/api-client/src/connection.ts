/** Whether the product can be reached, as far as this page knows. */

/** Calls in a row without any answer after which the product counts as unreachable. */
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
 * The connection: down when the device says so, or when calls get no answer several times in a row (a network that is
 * there and leads nowhere). Any answer, also an error of the server, brings it up.
 */
export const connection = {
  isOnline: (): boolean => online,
  /** Notes that an answer came. */
  answered: (): void => {
    silent = 0;
    update();
  },
  /** Notes that a call got no answer. */
  unanswered: (): void => {
    silent += 1;
    update();
  },
  /** Notes that the product was looked for and is not there. */
  lost: (): void => {
    silent = SILENT_CALLS;
    update();
  },
  /** Calls back at each change. @returns how to stop it */
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
