export type SharedCounts = {
  /**
   * Adds to counters that expire after their window, and returns their new totals in the same order. Rejects
   * when the store does not answer.
   */
  add(counts: readonly { key: string; by: number; ttlMs: number }[]): Promise<number[]>;
};

/** One address in one window: the unsent count, and the known total of all gateways. */
type Count = { pending: number; known: number };

/**
 * Limit of separately counted addresses; beyond it (a flood of spoofed addresses) new ones share one count.
 */
const MAX_KEYS = 50_000;
const OVERFLOW = 'overflow';

export type WindowCounterOptions = {
  name: string;
  limit: number;
  windowMs: number;
  now?: () => number;
};

/**
 * Counts requests per key in fixed windows. `take` decides from memory; `sync` exchanges the new counts with
 * the other gateways. Without the shared store each gateway uses only its own counts, so the limit is
 * multiplied by the number of gateways but never disappears.
 */
export class WindowCounter {
  readonly #options: Required<WindowCounterOptions>;
  readonly #counts = new Map<string, Count>();
  readonly #dirty = new Set<string>();
  #window = 0;

  constructor(options: WindowCounterOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /**
   * Counts one request.
   * @returns 0 if it may pass, otherwise milliseconds until the next window
   */
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
