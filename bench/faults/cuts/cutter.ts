import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseProxy, type Fault, type TestProxy } from '@karaar/testing/servers/proxy';
import type { Harm } from '../run.ts';

const MOST_BYTES = 800;

/** The ways to cut a connection. `commit` loses PostgreSQL's answer to a COMMIT. */
const CUTS = {
  bytes: (): Fault => {
    const of = Math.random() < 0.5 ? 'requests' : 'answers';
    return { kind: 'bytes', of, bytes: randomInt(0, MOST_BYTES) };
  },
  answer: (): Fault => ({ kind: 'answer' }),
  commit: (): Fault => ({ kind: 'answer', to: { saying: 'commit\0', after: '' } }),
  silence: (): Fault => ({ kind: 'silence' }),
};
export type CutKind = keyof typeof CUTS;

/** Cuts the next connection to which this can happen. @returns false without one within `ms` */
export async function cut(proxy: TestProxy, kind: CutKind, ms: number): Promise<boolean> {
  const { happened, cancel } = proxy.fail(CUTS[kind]());
  const outcome = happened.then(() => true);
  if (await Promise.race([outcome, sleep(ms, false)])) return true;
  // Cuts a connection that was selected and has gone quiet.
  cancel();
  return Promise.race([outcome, sleep(0, false)]);
}

/** Starts a proxy for the server at this URL, and returns its own URL. `keep` gets the proxy. */
export async function via(url: string, keep: (proxy: TestProxy) => void): Promise<string> {
  const proxy = await databaseProxy(url);
  keep(proxy);
  return proxy.url.replace(/\/$/, '');
}

/** `refused`: the file store answers 503 to one write and its repetitions. */
type Kind = CutKind | 'refused';
export type Lot = { link: string; kind: Kind; weight: number };
type Cutting = {
  proxies: ReadonlyMap<string, TestProxy>;
  lots: readonly Lot[];
  /** Refuses the next write of a file. @returns false without one within `ms` */
  refuse?: (ms: number) => Promise<boolean>;
  /** Longest pause of a loop between two cuts. */
  pauseMs: number;
};

/** Cuts that wait for their moment in parallel. */
const LOOPS = 4;
const WAIT_MS = 5_000;
/** How often a link is slow for a moment before a cut. */
const SLOW = 0.1;
const DELAY_MS = [50, 400] as const;

/** Cuts connections of a running product, spread over links and kinds. */
export class Cutter implements Harm {
  readonly what = 'cuts';
  readonly stuck: readonly string[] = [];
  readonly #happened: Lot[] = [];
  readonly #cutting: Cutting;
  readonly #all: readonly Lot[];

  constructor(cutting: Cutting) {
    this.#cutting = cutting;
    this.#all = cutting.lots.flatMap((lot) => Array.from({ length: lot.weight }, () => lot));
  }

  get done(): number {
    return this.#happened.length;
  }

  times(kind: Kind): number {
    return this.#happened.filter((lot) => lot.kind === kind).length;
  }

  async run(times: number, _work: () => number, signal: AbortSignal): Promise<void> {
    let begun = 0;
    const loop = async () => {
      while (begun < times && !signal.aborted) {
        begun += 1;
        if (await this.#one()) await sleep(randomInt(0, this.#cutting.pauseMs));
        else begun -= 1;
      }
    };
    await Promise.all(Array.from({ length: LOOPS }, loop));
  }

  async #one(): Promise<boolean> {
    const { proxies, refuse } = this.#cutting;
    const lot = this.#all[randomInt(this.#all.length)];
    const proxy = lot && proxies.get(lot.link);
    if (lot === undefined || proxy === undefined) throw new Error(`The proxy for ${lot?.link} is missing`);
    if (Math.random() < SLOW) proxy.delay(randomInt(...DELAY_MS));
    const happened =
      lot.kind === 'refused' ? ((await refuse?.(WAIT_MS)) ?? false) : await cut(proxy, lot.kind, WAIT_MS);
    if (happened) this.#happened.push(lot);
    return happened;
  }
}
