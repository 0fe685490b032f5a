/** A least time that was not reached again for this long is forgotten. */
const WINDOW_MS = 30_000;
const HALF_MS = WINDOW_MS / 2;

/**
 * The least time that one route has lately taken: what it costs without a queue. Kept in two halves of the window,
 * so that a route that has become dearer (more data, a slower disk) is believed after {@link WINDOW_MS} at the latest.
 */
export class Baseline {
  #current = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;
  #since = 0;

  /**
   * Takes one measured time. @returns the part of it that is more than the least, in milliseconds: the time in a queue
   * @param now milliseconds on a clock that does not go back
   */
  delayOf(ms: number, now: number): number {
    if (now - this.#since >= HALF_MS) {
      // After a long silence nothing of before is worth anything.
      this.#before = now - this.#since < WINDOW_MS ? this.#current : Number.POSITIVE_INFINITY;
      this.#current = Number.POSITIVE_INFINITY;
      this.#since = now;
    }
    if (ms < this.#current) this.#current = ms;
    return ms - Math.min(this.#current, this.#before);
  }
}
