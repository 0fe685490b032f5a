/** The store in which several gateways add up their counts. */
export type SharedCounts = {
  /**
   * Adds to counters that end with their window, and answers their new totals in the same order.
   * Rejects when the store does not answer.
   */
  add(counts: readonly { key: string; by: number; ttlMs: number }[]): Promise<number[]>;
};

/** One address in one window: the count that is not sent yet, and the known total of all gateways. */
type Count = { pending: number; known: number };

/** Addresses counted one by one at most; beyond it (an address-spoofing flood) new ones share one count. */
const MAX_KEYS = 50_000;
const OVERFLOW = 'overflow';

export type WindowCounterOptions = {
  name: string;
  limit: number;
  windowMs: number;
  now?: () => number;
};

/**
 * Counts requests per key in fixed windows. `take` decides at once from memory; `sync` exchanges what was
 * counted since with the other gateways. Without the shared store each gateway goes on with its own
 * counts, so losing it loosens the limit by the number of gateways and never lifts it.
 */
export class WindowCounter {
  readonly #options: Required<WindowCounterOptions>;
  readonly #counts = new Map<string, Count>();
  readonly #dirty = new Set<string>();
  #window = 0;

  constructor(options: WindowCounterOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** Counts one request. @returns 0 when it may pass, else milliseconds until the next window. */
  take(key: string): number {
    const now = this.#options.now();
    this.#roll(now);
    let count = this.#counts.get(key);
    if (count === undefined) {
      if (this.#counts.size >= MAX_KEYS && key !== OVERFLOW) return this.take(OVERFLOW);
      count = { pending: 0, known: 0 };
      this.#counts.set(key, count);
    }
    if (count.known + count.pending >= this.#options.limit) return this.#left(now);
    count.pending += 1;
    this.#dirty.add(key);
    return 0;
  }

  /** Sends the counts since the last time to the shared store, and receives the totals. */
  async sync(shared: SharedCounts): Promise<void> {
    this.#roll(this.#options.now());
    if (this.#dirty.size === 0) return;
    const window = this.#window;
    const batch = [...this.#dirty].map((key) => ({ key, by: this.#counts.get(key)?.pending ?? 0 }));
    this.#dirty.clear();
    const { name, windowMs } = this.#options;
    const totals = await shared.add(
      batch.map(({ key, by }) => ({ key: `limit:${name}:${window}:${key}`, by, ttlMs: windowMs * 2 })),
    );
    if (window !== this.#window) return;
    batch.forEach(({ key, by }, index) => {
      const count = this.#counts.get(key);
      if (count === undefined) return;
      count.pending -= by;
      count.known = totals[index] ?? count.known + by;
    });
  }

  #roll(now: number): void {
    const window = Math.floor(now / this.#options.windowMs);
    if (window === this.#window) return;
    this.#window = window;
    this.#counts.clear();
    this.#dirty.clear();
  }

  #left(now: number): number {
    return (this.#window + 1) * this.#options.windowMs - now;
  }
}
