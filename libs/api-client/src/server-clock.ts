/** The time at the server. The device's own clock may be wrong by days, so that rules and dates of the screens never go by it. */

/** Milliseconds after which an answer is not measured by: the device may have slept before it was read. */
const MEASURED_WITHIN_MS = 10_000;
/** Milliseconds by which a clock is wrong before people are told: less changes nothing that they see. */
const TOLD_FROM_MS = 10 * 60_000;
/** Milliseconds by which a told difference has to change to be told again. */
const SAME_WITHIN_MS = 60_000;

let ahead = 0;
let told = 0;
const listeners = new Set<() => void>();

export const serverClock = {
  /** Milliseconds since 1970 at the server; of the device's clock while no answer has come. */
  now: (): number => Date.now() - ahead,
  /** Today at the server. */
  date: (): Date => new Date(serverClock.now()),
  /** Milliseconds by which the device's clock is ahead, negative where it is behind; 0 for so little that it does not matter. */
  wrongBy: (): number => told,
  /**
   * Compares the clocks by an answer.
   * @param date the answer's header of that name
   * @param askedAt the device's time of the request, in milliseconds since 1970
   */
  heard: (date: string | null, askedAt: number): void => {
    const took = Date.now() - askedAt;
    const at = Date.parse(date ?? '');
    if (Number.isNaN(at) || took < 0 || took > MEASURED_WITHIN_MS) return;
    ahead = Date.now() - at;
    const wrong = Math.abs(ahead) < TOLD_FROM_MS ? 0 : ahead;
    if (wrong === told || (wrong !== 0 && told !== 0 && Math.abs(wrong - told) < SAME_WITHIN_MS)) return;
    told = wrong;
    for (const listener of listeners) listener();
  },
  /** Calls back when `wrongBy` changes. @returns how to stop it */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
