/** Cuts connections of a running product, and has writes of files refused, spread over links and kinds. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Harm } from '../faults/harm.ts';
import type { CutKind, CutProxy } from './cut-proxy.ts';

/** `refused`: the file store says 503 to one write, however often it is repeated. */
export type Kind = CutKind | 'refused';
/** One way to harm, and how often it is chosen. */
export type Lot<Link extends string> = { link: Link; kind: Kind; weight: number };
export type Cutting<Link extends string> = {
  proxies: ReadonlyMap<Link, CutProxy>;
  lots: readonly Lot<Link>[];
  /** Has the next write of a file refused. @returns false when none came within `ms` */
  refuse?: (ms: number) => Promise<boolean>;
  /** Longest pause of a lane between two cuts. */
  pauseMs: number;
};

/** So many wait for their moment at the same time. */
const LANES = 4;
const WAIT_MS = 5_000;
/** How often a link is slow for a moment before something is cut. */
const SLOW = 0.1;
const DELAY_MS = [50, 400] as const;

export class Cutter<Link extends string> implements Harm {
  readonly what = 'cuts';
  readonly stuck: readonly string[] = [];
  /** Cuts that happened: link → kind → times. */
  readonly byLink = new Map<Link, Map<Kind, number>>();
  /** How often a link was made slow. */
  delays = 0;
  readonly #waiting = new Map<string, number>();
  readonly #cutting: Cutting<Link>;
  readonly #all: readonly Lot<Link>[];

  constructor(cutting: Cutting<Link>) {
    this.#cutting = cutting;
    this.#all = cutting.lots.flatMap((lot) => Array.from({ length: lot.weight }, () => lot));
  }

  get done(): number {
    return [...this.byLink.values()].flatMap((kinds) => [...kinds.values()]).reduce((a, b) => a + b, 0);
  }

  /** How often a kind happened, on all links. */
  times(kind: Kind): number {
    return [...this.byLink.values()].reduce((sum, kinds) => sum + (kinds.get(kind) ?? 0), 0);
  }

  waitsFor(): string {
    return [...this.#waiting].flatMap(([what, n]) => (n > 0 ? [`${n} × ${what}`] : [])).join(', ');
  }

  async run(times: number, _work: () => number, signal: AbortSignal): Promise<void> {
    let begun = 0;
    const lane = async () => {
      while (begun < times && !signal.aborted) {
        begun += 1;
        const happened = await this.#one();
        if (!happened) begun -= 1;
        else await sleep(randomInt(0, this.#cutting.pauseMs));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async #one(): Promise<boolean> {
    const { proxies, refuse } = this.#cutting;
    const lot = this.#all[randomInt(this.#all.length)];
    if (lot === undefined) throw new Error('nothing to choose from');
    const { link, kind } = lot;
    const proxy = proxies.get(link);
    if (proxy === undefined) throw new Error(`no proxy before ${link}`);
    if (Math.random() < SLOW) {
      proxy.delay(randomInt(...DELAY_MS));
      this.delays += 1;
    }
    const what = `${link} ${kind}`;
    this.#waiting.set(what, (this.#waiting.get(what) ?? 0) + 1);
    const happened =
      kind === 'refused' ? ((await refuse?.(WAIT_MS)) ?? false) : await proxy.cut(kind, WAIT_MS);
    this.#waiting.set(what, (this.#waiting.get(what) ?? 1) - 1);
    if (happened) {
      const kinds = this.byLink.get(link) ?? new Map<Kind, number>();
      this.byLink.set(link, kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
    }
    return happened;
  }
}
