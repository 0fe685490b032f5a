/** Ends parts of a running product by SIGKILL, at random moments, and counts. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import type { Product } from '@karaar/dev/product';
import type { ProcessName } from '@karaar/dev/processes/services';
import type { Harm } from './harm.ts';

/** The processes of the product that die; the sandboxes stand for the world outside. */
export const SERVICES = [
  'gateway',
  ...SERVICE_NAMES,
  'witness',
  'broker-admin',
  'converter',
] as const satisfies readonly ProcessName[];
const BACKING = ['nats', 'postgres', 'redis'] as const;
type BackingPart = (typeof BACKING)[number];
export type PartName = (typeof SERVICES)[number] | BackingPart;
export type Weights = Partial<Record<PartName, number>>;

/**
 * Who dies, and how often each is chosen: the parts that money passes, or every part of the product but the sandboxes,
 * which stand for the world outside. The database takes everybody along: it dies less often, or nothing would get done.
 */
export const WEIGHTS = {
  money: { wallet: 6, payments: 6, nats: 4, postgres: 2 },
  all: {
    ...{ wallet: 4, payments: 4, documents: 3, auth: 2, gateway: 2 },
    ...{ messaging: 2, notifications: 2, vision: 1, cms: 1, witness: 1, 'broker-admin': 1, converter: 1 },
    ...{ nats: 3, postgres: 1, redis: 2 },
  },
} as const satisfies Record<string, Weights>;

/** So many die and come back independently of each other: some while others are down or starting. */
const LANES = 2;
/** How often the next one dies as soon as the last is up, with nothing done in between. */
const AT_ONCE = 0.2;
/** Else work is done in between: so long is waited for some, and then a little, so that it dies in the middle. */
const WORK_MS = 5_000;
const PAUSE_MS = 400;
const READY_MS = 120_000;

type Killable = {
  running: () => boolean;
  kill: (signal: 'SIGKILL') => void;
  waitReady: (ms?: number) => Promise<void>;
};

const partOf = (product: Product, name: PartName): Killable =>
  isBacking(name) ? product.backing.part(name) : product.process(name);

const isBacking = (name: PartName): name is BackingPart => (BACKING as readonly string[]).includes(name);

/** What a run of kills can be asked while it runs, and afterwards. */
export class Killer implements Harm {
  readonly what = 'kills';
  /** Milliseconds from each kill until the part answered again, by part. */
  readonly downs = new Map<PartName, number[]>();
  /** Parts that are down now, and since when. */
  readonly down = new Map<PartName, number>();
  /** Parts that did not come back. */
  readonly stuck: string[] = [];
  #kills = 0;
  readonly #product: Product;
  readonly #lots: readonly PartName[];

  constructor(product: Product, weights: Weights) {
    this.#product = product;
    this.#lots = Object.entries(weights).flatMap(([name, weight]) =>
      Array.from({ length: weight }, () => name as PartName),
    );
  }

  get done(): number {
    return this.#kills;
  }

  waitsFor(): string {
    const now = Date.now();
    return [...this.down]
      .map(([name, at]) => `${name} is down for ${((now - at) / 1_000).toFixed(0)} s`)
      .join(', ');
  }

  get byPart(): Weights {
    return Object.fromEntries([...this.downs].map(([name, all]) => [name, all.length]));
  }

  /**
   * Kills until `kills` are reached, at random moments of the work, some parts just after they came up; ends early
   * when a part does not come back or `signal` says so.
   *
   * @param work how much callers have got done so far, in any unit
   */
  async run(kills: number, work: () => number, signal: AbortSignal): Promise<void> {
    let begun = 0;
    const goesOn = () => begun < kills && !signal.aborted && this.stuck.length === 0;
    const lane = async () => {
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
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** A process that runs. A service that starts without its database ends by itself and cannot be killed. */
  #next(): PartName | undefined {
    const name = this.#lots[randomInt(this.#lots.length)];
    if (name === undefined) throw new Error('nothing to choose from');
    return this.down.has(name) || !partOf(this.#product, name).running() ? undefined : name;
  }

  async #kill(name: PartName): Promise<void> {
    const part = partOf(this.#product, name);
    const at = Date.now();
    this.down.set(name, at);
    part.kill('SIGKILL');
    try {
      await part.waitReady(READY_MS);
      this.downs.set(name, [...(this.downs.get(name) ?? []), Date.now() - at]);
      this.#kills += 1;
    } catch (error) {
      this.stuck.push(error instanceof Error ? error.message : String(error));
    } finally {
      this.down.delete(name);
    }
  }
}
