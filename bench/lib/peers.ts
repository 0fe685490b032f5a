import { median } from './stats.ts';

export type Peer<T> = { name: string; measure: () => Promise<T> };

/**
 * Measures all peers in each round. The order reverses from round to round, so that a machine that gets busier
 * or hotter favours none of them.
 * @returns each peer's measurements, in the order of the rounds
 */
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
