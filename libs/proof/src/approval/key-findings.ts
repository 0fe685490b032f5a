/**
 * Compares the log's entries about a person's keys with the keys that the device knows, to find those that
 * the person must be asked about.
 */
import type { OwnChange } from './key-watch.ts';

export type ListedKey = {
  sha256: string;
  /** True if the server claims that the log contains it. */
  logged: boolean;
};

export type KeyFinding =
  /** In the log, but unknown to this device. */
  | { kind: 'unknown'; keySha256: string; at: string; removedAt?: string }
  /** Known and in the log, not removed there, but missing in the server's list. */
  | { kind: 'unlisted'; keySha256: string; at: string }
  /** In the server's list as logged, but not in the log. */
  | { kind: 'unlogged'; keySha256: string };

/**
 * Returns the findings, oldest first.
 * @param known SHA-256 of the keys that the person has added on this device or has confirmed
 * @param isWhole true if the log was read to its end: only then a missing entry counts
 */
export function keyFindings(
  changes: readonly OwnChange[],
  known: ReadonlySet<string>,
  listed: readonly ListedKey[],
  isWhole: boolean,
): KeyFinding[] {
  const states = new Map<string, { at: string; removedAt?: string }>();
  for (const { action, keySha256, at } of changes) {
    const state = states.get(keySha256);
    if (action === 'added') states.set(keySha256, { at: state?.at ?? at });
    else if (state) states.set(keySha256, { at: state.at, removedAt: at });
  }
  const inList = new Set(listed.map(({ sha256 }) => sha256));
  const findings = [...states].flatMap(([keySha256, state]): KeyFinding[] => {
    if (!known.has(keySha256)) return [{ kind: 'unknown', keySha256, ...state }];
    const isGone = state.removedAt !== undefined || inList.has(keySha256);
    return isGone ? [] : [{ kind: 'unlisted', keySha256, at: state.at }];
  });
  const unlogged = listed
    .filter(({ sha256, logged }) => isWhole && logged && !states.has(sha256))
    .map(({ sha256 }): KeyFinding => ({ kind: 'unlogged', keySha256: sha256 }));
  return [...findings, ...unlogged];
}
