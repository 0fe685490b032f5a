/** A limited number of workers over a queue, which lists all items that it holds. */
export type WorkQueueOptions<T> = {
  /** Workers at a time. */
  concurrency: number;
  /** Items that one worker takes at once; 1 when not given. */
  most?: number;
  /**
   * The least milliseconds from one worker's start to the next one's, so that items are batched; 0 by default.
   * The first item after a rest is taken at once. After a worker that took several it is `busyPaceMs`.
   */
  paceMs?: number;
  /** `paceMs` when not given. */
  busyPaceMs?: number;
  /** Must not reject. */
  work: (items: T[]) => Promise<void>;
};

/** The queue is busy after a worker that took at least this many items. */
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
    clearTimeout(this.#timer);
  }

  /** Returns items that no worker has begun. */
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
      // Begins a moment later, so that it is counted as running from its first step on.
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
