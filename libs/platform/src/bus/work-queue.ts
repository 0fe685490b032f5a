/** A bounded number of workers over a queue, with a view of everything that is held. */
export class WorkQueue<T> {
  readonly #concurrency: number;
  readonly #work: (item: T) => Promise<void>;
  #waiting: T[] = [];
  readonly #running = new Map<T, Promise<void>>();
  #watchers: { limit: number; resolve: () => void }[] = [];

  /** @param work must not reject */
  constructor(concurrency: number, work: (item: T) => Promise<void>) {
    this.#concurrency = concurrency;
    this.#work = work;
  }

  push(item: T): void {
    this.#waiting.push(item);
    this.#next();
  }

  /** Everything taken and not finished. */
  held(): T[] {
    return [...this.#running.keys(), ...this.#waiting];
  }

  /** Resolves when at most `limit` items wait for a worker. */
  async below(limit: number): Promise<void> {
    if (this.#waiting.length <= limit) return;
    await new Promise<void>((resolve) => this.#watchers.push({ limit, resolve }));
  }

  /** Gives back what no worker has begun. */
  abandon(): T[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#notify();
    return waiting;
  }

  /** Resolves when the workers have finished what they began. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #next(): void {
    while (this.#running.size < this.#concurrency) {
      const item = this.#waiting.shift();
      if (item === undefined) break;
      const run = this.#work(item).finally(() => {
        this.#running.delete(item);
        this.#next();
      });
      this.#running.set(item, run);
    }
    this.#notify();
  }

  #notify(): void {
    const met = this.#watchers.filter((watcher) => this.#waiting.length <= watcher.limit);
    this.#watchers = this.#watchers.filter((watcher) => !met.includes(watcher));
    for (const watcher of met) watcher.resolve();
  }
}
