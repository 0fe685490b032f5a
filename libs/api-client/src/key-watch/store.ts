/** The record of this browser's checks, in local storage, by the hash by which the log names the person. */
import type { ListedKey } from '@karaar/proof/approval/key-findings';
import type { LogFault, LogMemory } from '@karaar/proof/approval/key-watch';

/** The result of the checks so far. */
export type Watched = {
  /**
   * Milliseconds since 1970: the first check, the last one, and the last one that read a log without a fault
   * to its end.
   */
  begunAt: number;
  triedAt: number;
  checkedAt?: number;
  memory?: LogMemory;
  fault?: LogFault;
  /** The keys that the server listed at the last check. */
  listed: readonly ListedKey[];
};

/** The SHA-256 of keys, by the person's actions and answers on this device. */
export type Said = {
  /** Added here, or confirmed. */
  known: readonly string[];
  /** Removed here. */
  removed: readonly string[];
  /** Not added by the person. */
  denied: readonly string[];
};

/** Fired on window after a change in this tab; other tabs get the browser's `storage` event. */
const CHANGED = 'karaar:key-watch';

const watchedKey = (tag: string): string => `key-watch:${tag}`;
const saidKey = (tag: string): string => `key-watch-said:${tag}`;

/** Returns undefined before the first check, and if local storage is blocked or its text is unreadable. */
export const watchedOf = (tag: string): Watched | undefined => read<Watched>(watchedKey(tag));
/** Returns empty lists if nothing is stored or the stored text is unreadable. */
export const saidOf = (tag: string): Said =>
  read<Said>(saidKey(tag)) ?? { known: [], removed: [], denied: [] };

/** Stores the result and fires the change event; does nothing if local storage is blocked or full. */
export const saveWatched = (tag: string, watched: Watched): void => write(watchedKey(tag), watched);

/** Adds the key (hex SHA-256) to one of the lists and fires the change event, unless it is listed already. */
export function say(tag: string, answer: keyof Said, keySha256: string): void {
  const said = saidOf(tag);
  if (said[answer].includes(keySha256)) return;
  write(saidKey(tag), { ...said, [answer]: [...said[answer], keySha256] });
}

/** Deletes the checks, so that the next one starts over; the person's answers stay. */
export function forgetLog(tag: string): void {
  localStorage.removeItem(watchedKey(tag));
  window.dispatchEvent(new Event(CHANGED));
}

/**
 * Calls the listener after this tab changes a record, or another tab any local storage; returns its removal.
 */
export function onWatched(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener('storage', listener);
  };
}

function read<T>(key: string): T | undefined {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? undefined;
  } catch {
    // The text is truncated or foreign: the next check starts over.
    return undefined;
  }
}

function write(key: string, value: Watched | Said): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The browser stores nothing: each check reads the whole log.
    return;
  }
  window.dispatchEvent(new Event(CHANGED));
}
