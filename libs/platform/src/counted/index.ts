/** Figures that take a while to count: counted once for everybody, kept for as long as that is worth. */

export type Counted<T> = { value: T; countedAt: Date };

/** How many times as long as the counting took a figure is kept: counting costs a twentieth of a core at most. */
const WORTH = 20;

/**
 * @param count reads the figures for a key
 * @param leastMs a figure younger than this is not counted again
 * @returns reads them; whoever asks meanwhile waits for the same counting, and one that fails is not kept
 */
export function counted<K extends string | number, T>(
  count: (key: K) => Promise<T>,
  leastMs = 1_000,
): (key: K) => Promise<Counted<T>> {
  const kept = new Map<K, { until: number; result: Promise<Counted<T>> }>();
  return (key) => {
    const known = kept.get(key);
    if (known && known.until > Date.now()) return known.result;
    const began = Date.now();
    const entry = {
      until: Number.POSITIVE_INFINITY,
      result: count(key).then((value) => ({ value, countedAt: new Date(began) })),
    };
    kept.set(key, entry);
    entry.result.then(
      () => (entry.until = Date.now() + Math.max(leastMs, (Date.now() - began) * WORTH)),
      () => kept.delete(key),
    );
    return entry.result;
  };
}
