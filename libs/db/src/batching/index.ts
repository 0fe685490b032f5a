/** Batching: calls that arrive while a group runs form the next group. */
import { isCancelled } from '../db-kit/faults.ts';
import { sql, type RawBuilder } from 'kysely';
import { isConnectionError } from '@karaar/base/errors';

/**
 * The CTE `patience` of a batch's statement sets the lock timeout before the statement takes locks. A batch
 * gives up early and its items run one by one, so that a row locked by another transaction delays only the
 * items that need it.
 */
export const patience = (items: readonly unknown[]): RawBuilder<unknown> =>
  sql`patience AS MATERIALIZED (SELECT set_config('lock_timeout', ${items.length > 1 ? '200ms' : '2s'}, true))`;

export type BatchOptions<T, R> = {
  /**
   * Runs several items, all or nothing (one statement, one transaction).
   * @returns the answer of each item, in the order of the items
   */
  run: (items: readonly T[]) => Promise<readonly R[]>;
  most?: number;
  groups?: number;
  /** Minimum milliseconds between the starts of two groups: larger values make larger groups under load. */
  apartMs?: number;
  /** Milliseconds that a group waits after its first call, for calls that arrive together from elsewhere; 0 by default. */
  lingerMs?: number;
  /** Items of one key are never worked on at the same time, and keep their order. */
  keyOf?: (item: T) => string;
};

type Waiting<T, R> = {
  item: T;
  key: string | undefined;
  resolve: (answer: R) => void;
  reject: (error: unknown) => void;
};

/**
 * Batches calls, by default without a waiting period: a single call runs at once, and under load the calls that
 * arrive during a group form the next one. After a failed group its items run one by one, so that one bad item does
 * not fail the others. After a lost connection all items fail, since the group may have been stored.
 * @returns a function that runs one item and resolves when its group is done
 */
export function batched<T, R>(options: BatchOptions<T, R>): (item: T) => Promise<R> {
  const { run, most = 100, groups = 2, apartMs = 4, lingerMs = 0, keyOf } = options;
  let waiting: Waiting<T, R>[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let scheduled = false;
  let begun = Number.NEGATIVE_INFINITY;

  const take = (): Waiting<T, R>[] => {
    const group: Waiting<T, R>[] = [];
    const left: Waiting<T, R>[] = [];
    // A later item of the same key waits behind the earlier one, because its key is now busy.
    for (const each of waiting) {
      if (group.length === most || (each.key !== undefined && busy.has(each.key))) {
        left.push(each);
        continue;
      }
      if (each.key !== undefined) busy.add(each.key);
      group.push(each);
    }
    waiting = left;
    return group;
  };
  const answer = async (group: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answers = await run(group.map(({ item }) => item));
      if (answers.length !== group.length)
        throw new Error('The batch returned a different number of answers than items');
      // The lengths are equal (checked above).
      group.forEach(({ resolve }, at) => resolve(answers[at] as R));
    } catch (error) {
      // A cancelled statement stored nothing.
      const isUnknown = isConnectionError(error) && !isCancelled(error);
      if (group.length === 1 || isUnknown) for (const { reject } of group) reject(error);
      else await Promise.all(group.map((each) => answer([each])));
    }
  };
  const begin = () => {
    scheduled = false;
    if (underWay === groups) return;
    const group = take();
    if (group.length === 0) return;
    underWay += 1;
    begun = performance.now();
    void answer(group).finally(() => {
      underWay -= 1;
      for (const { key } of group) if (key !== undefined) busy.delete(key);
      schedule();
    });
    schedule();
  };
  const schedule = () => {
    if (scheduled || underWay === groups || waiting.length === 0) return;
    scheduled = true;
    const left = Math.max(lingerMs, begun + apartMs - performance.now());
    // Calls of the same event-loop turn form one group.
    if (left < 1) setImmediate(begin);
    else setTimeout(begin, left);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, key: keyOf?.(item), resolve, reject });
      schedule();
    });
}
