/** Ends parts of a running product by SIGKILL, at random moments, and counts. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';

/** How often each is chosen. The database takes everybody along: it dies less often, or nothing would ever get done. */
const WEIGHTS = { wallet: 3, payments: 3, nats: 2, postgres: 1 } as const;
export type PartName = keyof typeof WEIGHTS;

/** So many parts may be down at a time; each loop kills one and waits until it answers again. */
const LOOPS = 2;
const PAUSE_MS = { least: 50, most: 700 };
const READY_MS = 120_000;

const LOTS = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as PartName),
);

type Killable = { kill: (signal: 'SIGKILL') => void; waitReady: (ms?: number) => Promise<void> };

const partOf = (product: Product, name: PartName): Killable =>
  name === 'nats' || name === 'postgres' ? product.backing.part(name) : product.process(name);

/**
 * Kills until `kills` are reached. The pauses are random, so that some die just after they came up and some in the
 * middle of their work.
 *
 * @param onKill told after each, when the part answers again
 * @returns kills by part
 */
export async function killParts(
  product: Product,
  kills: number,
  onKill: (done: number) => void,
): Promise<Record<PartName, number>> {
  const counts: Record<PartName, number> = { wallet: 0, payments: 0, nats: 0, postgres: 0 };
  const down = new Set<PartName>();
  let begun = 0;
  let done = 0;
  const loop = async () => {
    while (begun < kills) {
      begun += 1;
      await sleep(randomInt(PAUSE_MS.least, PAUSE_MS.most));
      const up = LOTS.filter((name) => !down.has(name));
      const name = up[randomInt(up.length)];
      if (name === undefined) throw new Error('every part is down');
      down.add(name);
      const part = partOf(product, name);
      part.kill('SIGKILL');
      counts[name] += 1;
      await part.waitReady(READY_MS);
      down.delete(name);
      done += 1;
      onKill(done);
    }
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  return counts;
}
