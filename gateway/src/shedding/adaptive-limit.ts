import type { Verdict } from './queue-delay.ts';

export type AdaptiveLimitOptions = {
  /** The limit before the first measurement: so high that no request is refused. */
  start: number;
  /**
   * The limit after a first measurement that shows a queue; a lower limit grows back to it without demand.
   */
  initial: number;
  min: number;
  max: number;
};

const DECREASE = 0.7;
/** Share that is added (at least one) when the limit is needed and there is no queue. */
const INCREASE = 0.06;
/** Below this share of the limit, the queue has another cause than the limit. */
const IN_PLAY = 0.5;
const NEEDED = 0.5;
/** Factor for a guessed limit after a measurement without a queue. */
const GUESS_FADES = 0.95;

/**
 * Limits the concurrent requests with additive increase and multiplicative decrease (Chiu and Jain, 1989;
 * `AIMDLimit` in Netflix' concurrency-limits). A limit that is not nearly reached does not fall, because then
 * our requests are not the cause of a slow service. Without demand a limit grows only up to its initial
 * value, so that a burst finds room again after an overload.
 */
export class AdaptiveLimit {
  readonly #min: number;
  readonly #max: number;
  readonly #initial: number;
  #value: number;
  /** Requests admitted before a decrease are still in progress, so their delay does not count again. */
  #settling = false;
  #guessed: boolean;

  constructor({ start, initial, min, max }: AdaptiveLimitOptions) {
    this.#min = Math.min(min, max);
    this.#max = max;
    this.#initial = Math.min(Math.max(initial, this.#min), max);
    this.#value = Math.min(Math.max(start, this.#initial), max);
    this.#guessed = this.#value > this.#initial;
  }

  get value(): number {
    return this.#value;
  }

  /** @param peak the most requests in progress at once since the last call */
  adjust(verdict: Verdict, peak: number): void {
    // A guessed limit says nothing about the service, so the initial limit is used.
    const known = this.#guessed ? this.#initial : this.#value;
    if (verdict === 'standing' && !this.#settling && peak >= known * IN_PLAY) {
      const lower = Math.max(this.#min, Math.floor(this.#value * DECREASE));
      this.#value = this.#guessed ? Math.min(lower, this.#initial) : lower;
      this.#guessed = false;
      this.#settling = true;
      return;
    }
    if (verdict !== 'unknown') this.#settling = false;
    if (this.#guessed) {
      if (verdict === 'clear') this.#forgetGuess(peak);
      return;
    }
    if (this.#mayGrow(verdict, peak))
      this.#value = Math.min(this.#max, this.#value + Math.max(1, Math.floor(this.#value * INCREASE)));
  }

  /**
   * Lowers a guessed limit a little with each measurement, because delays in the first seconds come from the
   * start of the service and not from a queue.
   */
  #forgetGuess(peak: number): void {
    const inPlay = Math.max(this.#initial, Math.ceil(peak / NEEDED));
    this.#guessed = this.#value > inPlay;
    if (this.#guessed) this.#value = Math.max(inPlay, Math.floor(this.#value * GUESS_FADES));
  }

  #mayGrow(verdict: Verdict, peak: number): boolean {
    if (verdict === 'standing') return false;
    // Too few answers to measure: the limit may grow only if there is also little demand.
    if (verdict === 'unknown') return this.#value < this.#initial && peak < this.#value * IN_PLAY;
    return this.#value < this.#initial || peak >= this.#value * NEEDED;
  }
}
