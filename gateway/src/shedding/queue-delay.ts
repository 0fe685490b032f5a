/** The most measurements kept of one interval, the newest ones. */
const KEPT = 256;
/** Fewer measurements are not enough: a pause of the garbage collector would look like a queue. */
const ENOUGH = 10;
/** Ticks for which too few measurements are gathered before they are dropped as old. */
const PATIENT_TICKS = 10;

/** `standing`: requests wait for others; `clear`: they do not; `unknown`: too few were measured to say. */
export type Verdict = 'standing' | 'clear' | 'unknown';

/**
 * Distinguishes a standing queue from a short one, as CoDel does (Nichols and Jacobson, 2012): not by the longest
 * delays but by the delay of most requests of an interval. Bursts and expensive requests affect the longest delays
 * only.
 */
export class QueueDelay {
  readonly #targetMs: number;
  readonly #delays = new Float64Array(KEPT);
  #count = 0;
  #ticks = 0;
  #last = 0;

  /** @param targetMs the delay that most requests may have */
  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  /** Records the delay of one answer, in milliseconds. */
  note(delayMs: number): void {
    this.#delays[this.#count % KEPT] = delayMs;
    this.#count += 1;
  }

  /** Ends the interval, when enough was measured in it. */
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

  /** The delay of the last interval with a verdict, in milliseconds. */
  get lastMs(): number {
    return this.#last;
  }

  #restart(): void {
    this.#count = 0;
    this.#ticks = 0;
  }
}
