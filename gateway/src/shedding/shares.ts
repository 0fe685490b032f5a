/** The kinds of long requests. Each kind has reserved places. */
const PARTS = ['stranger', 'signed-in', 'download'] as const;
export type Part = (typeof PARTS)[number];

export type Holder = { part: Part; caller: string };

/** The share of all places that is reserved for each kind; the rest is first come, first served. */
const OWN_SHARE = 1 / 4;

/**
 * Divides the long places of a service among the kinds of requests. Within a kind, a caller gets another
 * place only while it holds fewer than are free, so that a few callers cannot take all.
 */
export class Shares {
  readonly #byPart: Record<Part, number> = { stranger: 0, 'signed-in': 0, download: 0 };
  readonly #byCaller = new Map<string, number>();

  /** Returns true if there is room within `places`; without a caller, room for any caller. */
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
