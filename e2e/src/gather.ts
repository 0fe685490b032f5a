/** Calls `look` for each item, with a limited concurrency, and returns all results. */
export async function gather<T, Found>(
  all: readonly T[],
  look: (one: T) => Promise<readonly Found[]>,
  workers = 4,
): Promise<Found[]> {
  const left = [...all];
  const found: Found[] = [];
  const work = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) found.push(...(await look(one)));
  };
  await Promise.all(Array.from({ length: workers }, work));
  return found;
}
