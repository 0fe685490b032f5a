/** Which of a person's keys may confirm acts, from the history of their keys (docs/adr/0085). */

/** A key that was added or removed; `at` is ISO 8601. */
export type KeyChange = { key_id: string; action: 'added' | 'removed'; at: string };

/** `none`: the person has no key. `waiting`: none of the person's keys confirms before `until`. */
export type Standing =
  { state: 'none' } | { state: 'keys'; keyIds: string[] } | { state: 'waiting'; until: Date };

/**
 * A first key confirms at once. A key that is added beside another one, or soon after one was removed, confirms after the
 * waiting time, and so does nothing at all once the last confirming key is removed: an intruder with a session can add and
 * remove keys, and the owner, who is told of each change, has this time to notice.
 *
 * @param changes in any order
 */
export function standingOf(changes: readonly KeyChange[], now: Date, waitMs: number): Standing {
  const history = changes
    .map((change) => ({ ...change, time: Date.parse(change.at) }))
    .toSorted((a, b) => a.time - b.time || (a.action === b.action ? 0 : a.action === 'added' ? -1 : 1));
  /** When each key that is there begins to confirm. */
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
  // A key that does not confirm yet is there because another one was, so the time is never over before it begins.
  const until = Math.min(...begins.values(), waitsUntil > now.getTime() ? waitsUntil : Infinity);
  return until === Infinity ? { state: 'none' } : { state: 'waiting', until: new Date(until) };
}
