/** Ends parts of a running product by SIGKILL, at random moments, and counts. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import type { ProcessName } from '@karaar/dev/services';

const BACKING = ['nats', 'postgres', 'redis'] as const;
type BackingPart = (typeof BACKING)[number];
export type PartName = Exclude<ProcessName, 'sandbox'> | BackingPart;
export type Weights = Partial<Record<PartName, number>>;

/**
 * Who dies, and how often each is chosen: the parts that money passes, or every part of the product but the sandboxes,
 * which stand for the world outside. The database takes everybody along: it dies less often, or nothing would get done.
 */
export const WEIGHTS = {
  money: { wallet: 6, payments: 6, nats: 4, postgres: 2 },
  all: {
    ...{ wallet: 4, payments: 4, documents: 3, auth: 2, gateway: 2 },
    ...{ messaging: 1, vision: 1, cms: 1, witness: 1 },
    ...{ nats: 3, postgres: 1, redis: 2 },
  },
} as const satisfies Record<string, Weights>;

/** How often a second one dies with it. */
const TWO_AT_ONCE = 0.15;
/** How often the next one dies as soon as the last is up, with nothing done in between. */
const AT_ONCE = 0.2;
/** Else work is done in between: so long is waited for some, and then a little, so that it dies in the middle. */
const WORK_MS = 5_000;
const PAUSE_MS = 400;
const READY_MS = 120_000;

type Killable = { kill: (signal: 'SIGKILL') => void; waitReady: (ms?: number) => Promise<void> };

const partOf = (product: Product, name: PartName): Killable =>
  isBacking(name) ? product.backing.part(name) : product.process(name);

const isBacking = (name: PartName): name is BackingPart => (BACKING as readonly string[]).includes(name);

/**
 * Kills until `kills` are reached, at random moments of the work, some parts just after they came up.
 *
 * @param work how much callers have got done so far, in any unit
 * @param onKill told of the kills so far when all parts answer again
 * @returns kills by part
 */
export async function killParts(
  product: Product,
  weights: Weights,
  kills: number,
  work: () => number,
  onKill: (done: number) => void,
): Promise<Weights> {
  const lots = Object.entries(weights).flatMap(([name, weight]) =>
    Array.from({ length: weight }, () => name as PartName),
  );
  const counts: Weights = {};
  for (let done = 0; done < kills;) {
    const victims = new Set([anyOf(lots)]);
    if (Math.random() < TWO_AT_ONCE && done + 1 < kills) victims.add(anyOf(lots));
    await Promise.all(
      [...victims].map(async (name) => {
        const part = partOf(product, name);
        part.kill('SIGKILL');
        counts[name] = (counts[name] ?? 0) + 1;
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
