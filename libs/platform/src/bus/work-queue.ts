/** A bounded number of workers over a queue, with a view of everything that is held. */
export class WorkQueue<T> {
  readonly #concurrency: number;
  readonly #work: (item: T) => Promise<void>;
  #waiting: T[] = [];
  #closed = false;
  readonly #running = new Map<T, Promise<void>>();

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

  /** How many wait for a worker. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Begins nothing more. */
  close(): void {
    this.#closed = true;
  }

  /** Gives back what no worker has begun. */
  abandon(): T[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** Resolves when the workers have finished what they began. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #next(): void {
    while (!this.#closed && this.#running.size < this.#concurrency) {
      const item = this.#waiting.shift();
      if (item === undefined) break;
      // Begins a moment later, so that it is counted as running from its first step on.
      const run = Promise.resolve()
        .then(() => this.#work(item))
        .finally(() => {
          this.#running.delete(item);
          this.#next();
        });
      this.#running.set(item, run);
    }
  }
}
