/** Releases a place; a second call does nothing. */
export type Release = () => void;

/** Limits the places that each client holds at once, by address or user. */
export class InFlightLimit {
  readonly #max: number;
  readonly #held = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a place.
   * @returns undefined if the client holds its maximum
   */
  take(key: string): Release | undefined {
    const held = this.#held.get(key) ?? 0;
    if (held >= this.#max) return undefined;
    this.#held.set(key, held + 1);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
