/** Batching: calls that come while a group is being worked on form the next group. */
import { isCancelled } from '../db-kit/faults.ts';
import { sql, type RawBuilder } from 'kysely';
import { isConnectionError } from '../errors/index.ts';

/**
 * The CTE `patience` of a batch's statement, read before it takes locks: for how long it waits for each. A batch gives up soon, and
 * its items are tried one by one, so that a row that another transaction holds delays only the items that need it.
 */
export const patience = (items: readonly unknown[]): RawBuilder<unknown> =>
  sql`patience AS MATERIALIZED (SELECT set_config('lock_timeout', ${items.length > 1 ? '200ms' : '2s'}, true))`;

export type BatchOptions<T, R> = {
  /**
   * Does the work for several at once, all or nothing (one statement, one transaction).
   * @returns for each item its answer, in the order of the items
   */
  run: (items: readonly T[]) => Promise<readonly R[]>;
  /** Items of one group at most. */
  most?: number;
  /** Groups under way at once. */
  groups?: number;
  /** Milliseconds between the beginnings of two groups, at least: how far groups grow under load. */
  apartMs?: number;
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
 * No call waits for a group to fill: a single call runs at once, and under load groups grow by the calls that come
 * while another group is under way or has just begun. After a failed group its items are tried one by one, so that an
 * item fails by its own fault only; when the connection broke all fail, since the group may have been stored.
 * @returns does the work for one, and resolves once its group is done
 */
export function batched<T, R>(options: BatchOptions<T, R>): (item: T) => Promise<R> {
  const { run, most = 100, groups = 2, apartMs = 4, keyOf } = options;
  let waiting: Waiting<T, R>[] = [];
  const busy = new Set<string>();
  let underWay = 0;
  let scheduled = false;
  let begun = Number.NEGATIVE_INFINITY;

  const take = (): Waiting<T, R>[] => {
    const group: Waiting<T, R>[] = [];
    const left: Waiting<T, R>[] = [];
    // A later item of a key that has to wait stays behind the earlier one: its key is busy as well.
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
      if (answers.length !== group.length) throw new Error('A group was answered in part');
      // Of the length of the group.
      group.forEach(({ resolve }, at) => resolve(answers[at] as R));
    } catch (error) {
      // A statement that the server cancelled stored nothing.
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
    const left = begun + apartMs - performance.now();
    // Calls of the same turn of the event loop form one group.
    if (left < 1) setImmediate(begin);
    else setTimeout(begin, left);
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, key: keyOf?.(item), resolve, reject });
      schedule();
    });
}
