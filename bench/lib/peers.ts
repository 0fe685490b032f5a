import { median } from './stats.ts';

export type Peer<T> = { name: string; measure: () => Promise<T> };

/**
 * Measures peers in turns, in the same run: each round all of them, in an order that turns around from
 * round to round, so that a machine that gets busier or hotter treats none better.
 * @returns each peer's measurements, in the order of the rounds
 */
export async function inTurns<T>(
  peers: readonly Peer<T>[],
  rounds: number,
  log: (line: string) => void = () => undefined,
): Promise<Map<string, T[]>> {
  const results = new Map<string, T[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? peers : peers.toReversed();
    for (const { name, measure } of order) {
      log(`round ${round + 1} of ${rounds}: ${name}`);
      results.get(name)?.push(await measure());
    }
  }
  return results;
}

/**
 * How one peer compares with another: the median of the rounds' own ratios. Neighbours in time are
 * compared with each other, so that slow phases of the machine cancel out.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}
