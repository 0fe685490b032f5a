/** What a device makes of the log's entries about its person's keys: which of them the person has to be asked about. */
import type { OwnChange } from './key-watch.ts';

/** A key as the server lists it. */
export type ListedKey = {
  sha256: string;
  /** The server says that the log has it. */
  logged: boolean;
};

export type KeyFinding =
  /** In the log, and not one that this device knows as the person's own. */
  | { kind: 'unknown'; keySha256: string; at: string; removedAt?: string }
  /** Known and in the log, not removed there, and not in the list. */
  | { kind: 'unlisted'; keySha256: string; at: string }
  /** In the list as one that is in the log, where it is not. */
  | { kind: 'unlogged'; keySha256: string };

/**
 * The oldest first.
 * @param known SHA-256 of the keys that the person has added on this device or has confirmed
 * @param isWhole whether the log was read to its end: only then a missing entry says something
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
