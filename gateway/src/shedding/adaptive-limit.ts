import type { Verdict } from './queue-delay.ts';

export type AdaptiveLimitOptions = {
  /** The limit before the first measurement: so high that no request is refused; measurements replace it. */
  start: number;
  /** Where it falls to when the first that is measured is a queue, and where it grows back to unasked. */
  initial: number;
  min: number;
  max: number;
};

/** What remains of the limit when a queue stands. */
const DECREASE = 0.7;
/** What is added when all of it is needed and nobody waits; at least one. */
const INCREASE = 0.06;
/** Below this part of the limit it is not the limit that decides, and says nothing about it. */
const IN_PLAY = 0.5;
const NEEDED = 0.5;
/** What remains of a guess after a measurement without a queue. */
const GUESS_FADES = 0.95;

/**
 * How many requests may be under way at once: additive increase, multiplicative decrease (Chiu and Jain, 1989; in
 * Netflix' concurrency-limits `AIMDLimit`). A limit that is not nearly reached does not fall: what a quiet service answers
 * slowly is not slow because of us. Nor does it grow, but to where it began, so that a burst finds room after a bad time.
 */
export class AdaptiveLimit {
  readonly #min: number;
  readonly #max: number;
  readonly #initial: number;
  #value: number;
  /** The requests that were let in before a decrease are still to be answered: their delay is not news. */
  #settling = false;
  /** The value is still a part of the first guess. */
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

  /** @param peak the most that were under way at once since the last time */
  adjust(verdict: Verdict, peak: number): void {
    // A guess says nothing of how many are many: where the limit would begin does.
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

  /** A little with each measurement, down to what is in play: what is late in the seconds after a start is the start, not a queue. */
  #forgetGuess(peak: number): void {
    const inPlay = Math.max(this.#initial, Math.ceil(peak / NEEDED));
    this.#guessed = this.#value > inPlay;
    if (this.#guessed) this.#value = Math.max(inPlay, Math.floor(this.#value * GUESS_FADES));
  }

  #mayGrow(verdict: Verdict, peak: number): boolean {
    if (verdict === 'standing') return false;
    // Too little was answered to say anything: because little is asked, or because nothing comes back?
    if (verdict === 'unknown') return this.#value < this.#initial && peak < this.#value * IN_PLAY;
    return this.#value < this.#initial || peak >= this.#value * NEEDED;
  }
}
