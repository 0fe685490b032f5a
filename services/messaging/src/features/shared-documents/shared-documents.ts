/** The difference that a change of a document's parties makes to who shares it with whom. */

export type Pair = { userId: string; otherId: string };

const pairsOf = (people: readonly string[]): Pair[] =>
  people.flatMap((userId) =>
    people.filter((otherId) => otherId !== userId).map((otherId) => ({ userId, otherId })),
  );

/** Pairs in both directions that share the document from now on, and those that no longer do. */
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
