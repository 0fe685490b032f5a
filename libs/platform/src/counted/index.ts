/** Figures that take a while to count: counted once for everybody, kept for as long as that is worth. */

export type Counted<T> = { value: T; countedAt: Date };

/** How many times as long as the counting took a figure is fresh: counting costs a twentieth of a core at most. */
const WORTH = 20;

type Kept<T> = { result: Promise<Counted<T>>; freshUntil: number; usableUntil: number };

/**
 * @param count reads the figures for a key
 * @param leastMs a figure younger than this is not counted again
 * @returns reads them; whoever asks meanwhile waits for the same counting, and one that fails is not kept. A figure that
 *   is just not fresh any more is answered while it is counted anew; an older one is waited for
 */
export function counted<K extends string | number, T>(
  count: (key: K) => Promise<T>,
  leastMs = 250,
): (key: K) => Promise<Counted<T>> {
  const kept = new Map<K, Kept<T>>();
  const underWay = new Map<K, Promise<Counted<T>>>();

  const countAnew = (key: K): Promise<Counted<T>> => {
    const going = underWay.get(key);
    if (going) return going;
    const began = Date.now();
    const result = count(key).then((value) => ({ value, countedAt: new Date(began) }));
    underWay.set(key, result);
    result.then(
      () => {
        const keepMs = Math.max(leastMs, (Date.now() - began) * WORTH);
        const freshUntil = Date.now() + keepMs;
        kept.set(key, { result, freshUntil, usableUntil: freshUntil + keepMs });
        underWay.delete(key);
      },
      // Who waits is told; the next one asks again.
      () => void underWay.delete(key),
    );
    return result;
  };

  return (key) => {
    const known = kept.get(key);
    const now = Date.now();
    if (!known || known.usableUntil <= now) return countAnew(key);
    if (known.freshUntil <= now) void countAnew(key).catch(() => undefined);
    return known.result;
  };
}
