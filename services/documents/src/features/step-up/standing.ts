/** Derives from the history of a person's keys which keys may confirm acts (docs/adr/0085). */

/** `at` is ISO 8601. */
export type KeyChange = { key_id: string; action: 'added' | 'removed'; at: string };

/** `none`: no key exists, and no confirmation is required. `waiting`: no key can confirm before `until`. */
export type Standing =
  { state: 'none' } | { state: 'keys'; keyIds: string[] } | { state: 'waiting'; until: Date };

/**
 * A first key confirms at once. A key added next to another one, or soon after a removal, confirms after the
 * waiting time. After the last confirming key is removed, the requirement ends only after the same time. An
 * intruder with a session can add and remove keys; the owner is notified of each change and has this time to
 * react.
 *
 * @param changes in any order
 */
export function standingOf(changes: readonly KeyChange[], now: Date, waitMs: number): Standing {
  const history = changes
    .map((change) => ({ ...change, time: Date.parse(change.at) }))
    .toSorted((a, b) => a.time - b.time || (a.action === b.action ? 0 : a.action === 'added' ? -1 : 1));
  /** When each existing key starts to confirm. */
  const begins = new Map<string, number>();
  let waitsUntil = -Infinity;
  for (const { key_id: id, action, time } of history) {
    if (action === 'added') {
      begins.set(id, begins.size > 0 ? time + waitMs : Math.max(time, waitsUntil));
      continue;
    }
    const didConfirm = (begins.get(id) ?? Infinity) <= time;
    begins.delete(id);
    if (!didConfirm) continue;
    waitsUntil = time + waitMs;
    for (const [other, from] of begins) if (from > time) begins.set(other, Math.max(from, waitsUntil));
  }
  const keyIds = [...begins].filter(([, from]) => from <= now.getTime()).map(([id]) => id);
  if (keyIds.length > 0) return { state: 'keys', keyIds };
  // No key confirms yet: the wait ends when the first one starts to, or when the waiting time is over.
  const until = Math.min(...begins.values(), waitsUntil > now.getTime() ? waitsUntil : Infinity);
  return until === Infinity ? { state: 'none' } : { state: 'waiting', until: new Date(until) };
}
