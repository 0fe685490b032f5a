import { median } from './stats.ts';

export type Peer<T> = { name: string; measure: () => Promise<T> };

/** Measures all peers in each round, in alternating order: a machine that gets busier or hotter favours none of them. */
export async function inTurns<T>(peers: readonly Peer<T>[], rounds: number): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    console.log(`round ${round + 1} of ${rounds}`);
    const order = round % 2 === 0 ? peers : peers.toReversed();
    for (const { name, measure } of order) results.get(name)?.push(await measure());
  }
  return results;
}

/** Returns the median of the rounds' ratios. A slow phase of the machine affects both sides of a round. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}
