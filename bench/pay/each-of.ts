/** Works on a list with a number of hands. @returns the results in the order of the list */
export async function eachOf<T, R>(
  items: readonly T[],
  hands: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: hands }, async () => {
      while (next < items.length) {
        const at = next;
        next += 1;
        results[at] = await work(items[at] as T);
      }
    }),
  );
  return results;
}
