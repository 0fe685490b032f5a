/** Ends parts of a running product by SIGKILL, at random moments, and counts. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import type { Measured } from '../lib/parts.ts';
import { row, type Row } from '../lib/report.ts';
import { median } from '../lib/stats.ts';
import { runFaults, withBundles, type Ending, type Harm, type Plan, type SERVICES } from './run.ts';

const BACKING = ['nats', 'postgres', 'redis'] as const;
type BackingPart = (typeof BACKING)[number];
type PartName = (typeof SERVICES)[number] | BackingPart;
type Weights = Partial<Record<PartName, number>>;

/**
 * How often each part is chosen: the parts that money passes, or every part of the product. The database takes all
 * services along: it dies less often, or nothing would get done.
 */
const WEIGHTS = {
  money: { wallet: 6, payments: 6, nats: 4, postgres: 2 },
  all: {
    ...{ wallet: 4, payments: 4, documents: 3, auth: 2, gateway: 2 },
    ...{ messaging: 2, notifications: 2, vision: 1, cms: 1, witness: 1, 'broker-admin': 1, converter: 1 },
    ...{ nats: 3, postgres: 1, redis: 2 },
  },
} as const satisfies Record<string, Weights>;

/** So many die and come back independently of each other: some while others are down or starting. */
const LOOPS = 2;
/** How often the next one dies as soon as the last is up, with nothing done in between. */
const AT_ONCE = 0.2;
/** Else work is done in between: so long is waited for some, and then a little, so that it dies in the middle. */
const WORK_MS = 5_000;
const PAUSE_MS = 400;
const READY_MS = 120_000;

const partOf = (product: Product, name: PartName) =>
  (BACKING as readonly string[]).includes(name)
    ? product.backing.part(name as BackingPart)
    : product.process(name as (typeof SERVICES)[number]);

class Killer implements Harm {
  readonly what = 'kills';
  /** Milliseconds from each kill until the part answered again, by part. */
  readonly downs = new Map<PartName, number[]>();
  readonly stuck: string[] = [];
  done = 0;
  /** Parts that are down now, and since when. */
  readonly #down = new Map<PartName, number>();
  readonly #product: Product;
  readonly #lots: readonly PartName[];

  constructor(product: Product, weights: Weights) {
    this.#product = product;
    this.#lots = Object.entries(weights).flatMap(([name, weight = 0]) =>
      Array.from({ length: weight }, () => name as PartName),
    );
  }

  waitsFor(): string {
    return [...this.#down]
      .map(([name, at]) => `${name} is down for ${((Date.now() - at) / 1_000).toFixed(0)} s`)
      .join(', ');
  }

  /** How long each part was away after a kill. */
  rows(): Row[] {
    return [...this.downs]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, all]) =>
        row(`${name}: away, median`, median(all), 'ms', {
          note: `${all.length} kills, at most ${(Math.max(...all) / 1_000).toFixed(1)} s`,
        }),
      );
  }

  /** Kills at random moments of the work, some parts just after they came up. */
  async run(kills: number, work: () => number, signal: AbortSignal): Promise<void> {
    let begun = 0;
    const goesOn = () => begun < kills && !signal.aborted && this.stuck.length === 0;
    const loop = async () => {
      while (goesOn()) {
        const name = this.#next();
        if (name === undefined) {
          await sleep(20);
          continue;
        }
        begun += 1;
        await this.#kill(name);
        if (Math.random() < AT_ONCE) continue;
        const before = work();
        for (const until = Date.now() + WORK_MS; work() === before && Date.now() < until && goesOn();)
          await sleep(10);
        await sleep(randomInt(0, PAUSE_MS));
      }
    };
    await Promise.all(Array.from({ length: LOOPS }, loop));
  }

  /** A part that runs. A service that starts without its database ends by itself and cannot be killed. */
  #next(): PartName | undefined {
    const name = this.#lots[randomInt(this.#lots.length)];
    if (name === undefined) throw new Error('nothing to choose from');
    return this.#down.has(name) || !partOf(this.#product, name).running() ? undefined : name;
  }

  async #kill(name: PartName): Promise<void> {
    const part = partOf(this.#product, name);
    const at = Date.now();
    this.#down.set(name, at);
    part.kill('SIGKILL');
    try {
      await part.waitReady(READY_MS);
      this.downs.set(name, [...(this.downs.get(name) ?? []), Date.now() - at]);
      this.done += 1;
    } catch (error) {
      this.stuck.push(error instanceof Error ? error.message : String(error));
    } finally {
      this.#down.delete(name);
    }
  }
}

export const measureKills = (reach: Plan['reach'], times: number, ending: Ending): Promise<Measured> =>
  withBundles({}, ['wallet', 'payments'], (product) => {
    const killer = new Killer(product, WEIGHTS[reach]);
    const rowsOfHarm = () => killer.rows();
    return runFaults(product, killer, { reach, times, ending, tellEvery: 20, settleMs: 120_000, rowsOfHarm });
  });
