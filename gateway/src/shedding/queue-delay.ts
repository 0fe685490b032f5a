/** Number of measurements kept per interval, the newest ones. */
const KEPT = 256;
/** Minimum number of measurements: with fewer, a garbage collection would look like a queue. */
const ENOUGH = 10;
/** Ticks after which too few measurements are dropped as outdated. */
const PATIENT_TICKS = 10;

/** `standing`: requests wait for others; `clear`: they do not; `unknown`: too few measurements. */
export type Verdict = 'standing' | 'clear' | 'unknown';

/**
 * Distinguishes a standing queue from a short one, as CoDel does (Nichols and Jacobson, 2012): by the median
 * delay of an interval instead of the longest ones, which bursts and expensive requests determine.
 */
export class QueueDelay {
  readonly #targetMs: number;
  readonly #delays = new Float64Array(KEPT);
  #count = 0;
  #ticks = 0;
  #last = 0;

  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  note(delayMs: number): void {
    this.#delays[this.#count % KEPT] = delayMs;
    this.#count += 1;
  }

  /** Evaluates the interval; starts a new one if there were enough measurements. */
  verdict(): Verdict {
    this.#ticks += 1;
    if (this.#count < ENOUGH) {
      if (this.#ticks >= PATIENT_TICKS) this.#restart();
      return 'unknown';
    }
    const kept = this.#delays.subarray(0, Math.min(this.#count, KEPT)).sort();
    this.#last = kept[kept.length >> 1] ?? 0;
    this.#restart();
    return this.#last > this.#targetMs ? 'standing' : 'clear';
  }

  get lastMs(): number {
    return this.#last;
  }

  #restart(): void {
    this.#count = 0;
    this.#ticks = 0;
  }
}
