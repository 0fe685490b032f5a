import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@karaar/dev/product';
import type { Measured } from '../lib/report.ts';
import { runFaults, withBundles, type Harm, type SERVICES } from './run.ts';

const BACKING = ['nats', 'postgres', 'redis'] as const;
type BackingPart = (typeof BACKING)[number];
type PartName = (typeof SERVICES)[number] | BackingPart;

/** The relative frequency of each part. The database is killed less often, because it stops all services with it. */
const WEIGHTS: Readonly<Record<PartName, number>> = {
  ...{ wallet: 4, payments: 4, documents: 3, auth: 2, gateway: 2 },
  ...{ messaging: 2, notifications: 2, vision: 1, cms: 1, witness: 1, 'broker-admin': 1, converter: 1 },
  ...{ nats: 3, postgres: 1, redis: 2 },
};
const LOTS = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as PartName),
);

/** Loops that kill independently, so that one part is down while another is killed or starting. */
const LOOPS = 2;
/** The share of kills that follow at once. */
const AT_ONCE = 0.2;
/** Otherwise a loop waits this long at most for an outcome, and then a pause, to kill in the middle of work. */
const WORK_MS = 5_000;
const PAUSE_MS = 400;
const READY_MS = 120_000;

const partOf = (product: Product, name: PartName) =>
  (BACKING as readonly string[]).includes(name)
    ? product.backing.part(name as BackingPart)
    : product.process(name as (typeof SERVICES)[number]);

/** Kills parts of a running product with SIGKILL at random moments. */
class Killer implements Harm {
  readonly what = 'kills';
  readonly stuck: string[] = [];
  done = 0;
  readonly #down = new Set<PartName>();
  readonly #product: Product;

  constructor(product: Product) {
    this.#product = product;
  }

  async run(kills: number, work: () => number, signal: AbortSignal): Promise<void> {
    let begun = 0;
    const goesOn = () => begun < kills && !signal.aborted && this.stuck.length === 0;
    const loop = async () => {
      while (goesOn()) {
        const name = LOTS[randomInt(LOTS.length)];
        // A service that starts without its database ends by itself and cannot be killed.
        if (name === undefined || this.#down.has(name) || !partOf(this.#product, name).running()) {
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

  async #kill(name: PartName): Promise<void> {
    const part = partOf(this.#product, name);
    this.#down.add(name);
    part.kill('SIGKILL');
    try {
      await part.waitReady(READY_MS);
      this.done += 1;
    } catch (error) {
      this.stuck.push(error instanceof Error ? error.message : String(error));
    } finally {
      this.#down.delete(name);
    }
  }
}

export const measureKills = (times: number, signal: AbortSignal): Promise<Measured> =>
  withBundles({}, ['wallet', 'payments'], (product) =>
    runFaults(product, new Killer(product), { times, signal, settleMs: 120_000 }),
  );
