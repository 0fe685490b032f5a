export type Pair = { userId: string; otherId: string };

const pairsOf = (people: readonly string[]): Pair[] =>
  people.flatMap((userId) =>
    people.filter((otherId) => otherId !== userId).map((otherId) => ({ userId, otherId })),
  );

/** Returns the pairs, in both directions, that begin and that cease to share the document. */
export function pairChanges(
  before: readonly string[],
  after: readonly string[],
): { added: Pair[]; removed: Pair[] } {
  const among = (people: readonly string[], { userId, otherId }: Pair) =>
    people.includes(userId) && people.includes(otherId);
  return {
    added: pairsOf(after).filter((pair) => !among(before, pair)),
    removed: pairsOf(before).filter((pair) => !among(after, pair)),
  };
}
