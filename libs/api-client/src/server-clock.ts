/**
 * The server's time. The device's clock may be wrong by days, so rules and dates of the screens never use it.
 */

/** Milliseconds after which a response is not used: the device may have slept before reading it. */
const MEASURED_WITHIN_MS = 10_000;
/** Milliseconds of error before users are warned: a smaller one has no visible effect. */
const REPORTED_FROM_MS = 10 * 60_000;
/** Milliseconds by which the difference must change before it is reported again. */
const SAME_WITHIN_MS = 60_000;

let ahead = 0;
let reported = 0;
const listeners = new Set<() => void>();

export const serverClock = {
  /** Returns the server's time in milliseconds since 1970; the device's time before the first response. */
  now: (): number => Date.now() - ahead,
  /** Returns the server's date. */
  date: (): Date => new Date(serverClock.now()),
  /**
   * Returns the milliseconds by which the device's clock is ahead, negative if it is behind; 0 for an
   * irrelevant difference.
   */
  wrongBy: (): number => reported,
  /**
   * Compares the clocks by a response.
   * @param date its Date header
   * @param askedAt the device's time of the request, in milliseconds since 1970
   */
  heard: (date: string | null, askedAt: number): void => {
    const took = Date.now() - askedAt;
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at) || took < 0 || took > MEASURED_WITHIN_MS) return;
    ahead = Date.now() - at;
    const wrong = Math.abs(ahead) < REPORTED_FROM_MS ? 0 : ahead;
    if (wrong === reported || (wrong !== 0 && reported !== 0 && Math.abs(wrong - reported) < SAME_WITHIN_MS))
      return;
    reported = wrong;
    for (const listener of listeners) listener();
  },
  /**
   * Calls back when `wrongBy` changes.
   * @returns a function that unsubscribes
   */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
