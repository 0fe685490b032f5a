/** Cuts connections of a running product, and has writes of files refused, spread over links and kinds. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { row, type Row } from '../../lib/report.ts';
import type { Harm } from '../run.ts';
import type { CutKind, CutProxy } from './cut-proxy.ts';

/** `refused`: the file store says 503 to one write, however often it is repeated. */
type Kind = CutKind | 'refused';
/** One way to harm, and how often it is chosen. */
export type Lot<Link extends string> = { link: Link; kind: Kind; weight: number };
type Cutting<Link extends string> = {
  proxies: ReadonlyMap<Link, CutProxy>;
  lots: readonly Lot<Link>[];
  /** Has the next write of a file refused. @returns false when none came within `ms` */
  refuse?: (ms: number) => Promise<boolean>;
  /** Longest pause of a loop between two cuts. */
  pauseMs: number;
};

/** So many wait for their moment at the same time. */
const LOOPS = 4;
const WAIT_MS = 5_000;
/** How often a link is slow for a moment before something is cut. */
const SLOW = 0.1;
const DELAY_MS = [50, 400] as const;

export class Cutter<Link extends string> implements Harm {
  readonly what = 'cuts';
  readonly stuck: readonly string[] = [];
  /** How often a link was made slow. */
  delays = 0;
  readonly #happened: Lot<Link>[] = [];
  readonly #waiting: Lot<Link>[] = [];
  readonly #cutting: Cutting<Link>;
  readonly #all: readonly Lot<Link>[];

  constructor(cutting: Cutting<Link>) {
    this.#cutting = cutting;
    this.#all = cutting.lots.flatMap((lot) => Array.from({ length: lot.weight }, () => lot));
  }

  get done(): number {
    return this.#happened.length;
  }

  /** How often a kind happened, on all links. */
  times(kind: Kind): number {
    return this.#happened.filter((lot) => lot.kind === kind).length;
  }

  /** Cuts of each link, by kind. */
  rows(): Row[] {
    return [...Map.groupBy(this.#happened, ({ link }) => link)]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([link, lots]) => {
        const kinds = [...Map.groupBy(lots, ({ kind }) => kind)];
        return row(link, lots.length, '', {
          note: kinds.map(([kind, all]) => `${kind} ${all.length}`).join(', '),
        });
      });
  }

  waitsFor(): string {
    return this.#waiting.map(({ link, kind }) => `${link} ${kind}`).join(', ');
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
    if (lot === undefined || proxy === undefined) throw new Error(`no proxy before ${lot?.link}`);
    if (Math.random() < SLOW) {
      proxy.delay(randomInt(...DELAY_MS));
      this.delays += 1;
    }
    this.#waiting.push(lot);
    const happened =
      lot.kind === 'refused' ? ((await refuse?.(WAIT_MS)) ?? false) : await proxy.cut(lot.kind, WAIT_MS);
    this.#waiting.splice(this.#waiting.indexOf(lot), 1);
    if (happened) this.#happened.push(lot);
    return happened;
  }
}
