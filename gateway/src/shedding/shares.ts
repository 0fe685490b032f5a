/** The kinds of long requests. Each kind has places of its own, which the others leave free. */
const PARTS = ['stranger', 'signed-in', 'download'] as const;
export type Part = (typeof PARTS)[number];

/** Who holds a long place: a user, or the address of a caller without a session. */
export type Holder = { part: Part; caller: string };

/** The share of all places that is kept for each kind; the rest is for whoever comes first. */
const OWN_SHARE = 1 / 4;

/**
 * Divides the long places of a service among the kinds of requests. Within a kind, a caller gets another place while it
 * holds fewer than are free: a few callers together cannot take them all.
 */
export class Shares {
  readonly #byPart: Record<Part, number> = { stranger: 0, 'signed-in': 0, download: 0 };
  readonly #byCaller = new Map<string, number>();

  /** Whether there is room within so many places. Without a caller: whether there is room for any. */
  hasRoom({ part, caller }: { part: Part; caller?: string }, places: number): boolean {
    const own = places * OWN_SHARE;
    let free = places - this.#byPart[part];
    for (const other of PARTS) if (other !== part) free -= Math.max(own, this.#byPart[other]);
    return free > 0 && this.#held(caller) < Math.max(1, free);
  }

  take({ part, caller }: Holder): void {
    this.#byPart[part] += 1;
    this.#byCaller.set(caller, this.#held(caller) + 1);
  }

  leave({ part, caller }: Holder): void {
    this.#byPart[part] -= 1;
    const left = this.#held(caller) - 1;
    if (left > 0) this.#byCaller.set(caller, left);
    else this.#byCaller.delete(caller);
  }

  #held(caller: string | undefined): number {
    return caller === undefined ? 0 : (this.#byCaller.get(caller) ?? 0);
  }
}
