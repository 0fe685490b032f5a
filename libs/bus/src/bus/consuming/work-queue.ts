/** A limited number of workers over a queue that can list all items it holds. */
export type WorkQueueOptions<T> = {
  concurrency: number;
  /** Items that one worker takes at once; 1 by default. */
  most?: number;
  /**
   * Minimum milliseconds between the starts of two workers, so that items form batches; 0 by default. After
   * an idle period the first item starts at once. After a busy worker, `busyPaceMs` applies.
   */
  paceMs?: number;
  busyPaceMs?: number;
  /** Must not reject. */
  work: (items: T[]) => Promise<void>;
};

const BUSY = 4;

export class WorkQueue<T> {
  readonly #options: Required<WorkQueueOptions<T>>;
  #waiting: T[] = [];
  #closed = false;
  #workers = 0;
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Map<T, Promise<void>>();

  constructor(options: WorkQueueOptions<T>) {
    const { most = 1, paceMs = 0, busyPaceMs = paceMs } = options;
    this.#options = { ...options, most, paceMs, busyPaceMs };
  }

  push(item: T): void {
    this.#waiting.push(item);
    this.#next();
  }

  /** All items that are waiting or in progress. */
  held(): T[] {
    return [...this.#running.keys(), ...this.#waiting];
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Removes and returns the items that no worker has started. */
  abandon(): T[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #next(): void {
    const { concurrency, most, paceMs, busyPaceMs, work } = this.#options;
    while (!this.#closed && this.#workers < concurrency && this.#waiting.length > 0) {
      const early = this.#notBefore - performance.now();
      if (early > 0 && this.#waiting.length < most) {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#next();
        }, early);
        return;
      }
      const items = this.#waiting.splice(0, most);
      this.#notBefore = performance.now() + (items.length >= BUSY ? busyPaceMs : paceMs);
      this.#workers += 1;
      // Starts asynchronously, so that it already counts as running at its first step.
      const run = Promise.resolve()
        .then(() => work(items))
        .finally(() => {
          this.#workers -= 1;
          for (const item of items) this.#running.delete(item);
          this.#next();
        });
      for (const item of items) this.#running.set(item, run);
    }
  }
}
