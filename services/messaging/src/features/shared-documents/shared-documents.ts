/** The difference that a change of a document's parties makes to who shares it with whom. */

export type PairChange = { userId: string; otherId: string; by: 1 | -1 };

const key = (a: string, b: string) => `${a} ${b}`;

function pairsOf(people: readonly string[]): Set<string> {
  const all = [...new Set(people)];
  return new Set(all.flatMap((a) => all.filter((b) => b !== a).map((b) => key(a, b))));
}

/** Pairs in both directions that share the document now and did not before, and the other way round. */
export function pairChanges(before: readonly string[], after: readonly string[]): PairChange[] {
  const [old, now] = [pairsOf(before), pairsOf(after)];
  const change = (from: Set<string>, without: Set<string>, by: 1 | -1) =>
    [...from]
      .filter((pair) => !without.has(pair))
      .map((pair): PairChange => {
        const [userId = '', otherId = ''] = pair.split(' ');
        return { userId, otherId, by };
      });
  return [...change(now, old, 1), ...change(old, now, -1)];
}
