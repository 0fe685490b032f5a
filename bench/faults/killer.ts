/** Ends parts of a running product by SIGKILL, at random moments, and counts. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';

/** How often each is chosen. The database takes everybody along: it dies less often, or nothing would ever get done. */
const WEIGHTS = { wallet: 3, payments: 3, nats: 2, postgres: 1 } as const;
export type PartName = keyof typeof WEIGHTS;

/** How often a second one dies with it. */
const TWO_AT_ONCE = 0.15;
/** How often the next one dies as soon as the last is up, with nothing done in between. */
const AT_ONCE = 0.2;
/** Else work is done in between: so long is waited for some, and then a little, so that it dies in the middle. */
const WORK_MS = 5_000;
const PAUSE_MS = 400;
const READY_MS = 120_000;

const LOTS = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as PartName),
);

type Killable = { kill: (signal: 'SIGKILL') => void; waitReady: (ms?: number) => Promise<void> };

const partOf = (product: Product, name: PartName): Killable =>
  name === 'nats' || name === 'postgres' ? product.backing.part(name) : product.process(name);

/**
 * Kills until `kills` are reached, at random moments of the work, some parts just after they came up.
 *
 * @param work how much callers have got done so far, in any unit
 * @param onKill told of the kills so far when all parts answer again
 * @returns kills by part
 */
export async function killParts(
  product: Product,
  kills: number,
  work: () => number,
  onKill: (done: number) => void,
): Promise<Record<PartName, number>> {
  const counts: Record<PartName, number> = { wallet: 0, payments: 0, nats: 0, postgres: 0 };
  for (let done = 0; done < kills;) {
    const victims = new Set([anyOf(LOTS)]);
    if (Math.random() < TWO_AT_ONCE && done + 1 < kills) victims.add(anyOf(LOTS));
    await Promise.all(
      [...victims].map(async (name) => {
        const part = partOf(product, name);
        part.kill('SIGKILL');
        counts[name] += 1;
        await part.waitReady(READY_MS);
      }),
    );
    done += victims.size;
    onKill(done);
    if (Math.random() < AT_ONCE) continue;
    const before = work();
    for (const until = Date.now() + WORK_MS; work() === before && Date.now() < until;) await sleep(10);
    await sleep(randomInt(0, PAUSE_MS));
  }
  return counts;
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[randomInt(all.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}
