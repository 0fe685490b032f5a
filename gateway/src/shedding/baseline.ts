/** A shortest time that was not reached again within this time is forgotten. */
const WINDOW_MS = 30_000;
const HALF_MS = WINDOW_MS / 2;

/**
 * The shortest recent time of a route, which is its time without a queue. Kept in two halves of the window,
 * so that a route that has become slower (more data, a slower disk) gets a new baseline within {@link
 * WINDOW_MS}.
 */
export class Baseline {
  #current = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  #since = 0;

  /**
   * Records a measured time.
   * @returns the milliseconds above the shortest time, which were spent in a queue
   * @param now milliseconds of a monotonic clock
   */
  delayOf(ms: number, now: number): number {
    if (now - this.#since >= HALF_MS) {
      // After a long pause the earlier times do not count.
      this.#before = now - this.#since < WINDOW_MS ? this.#current : Number.POSITIVE_INFINITY;
      this.#current = Number.POSITIVE_INFINITY;
      this.#since = now;
    }
    if (ms < this.#current) this.#current = ms;
    return ms - Math.min(this.#current, this.#before);
  }
}
