/** Faults in a row that open the breaker, and how long it stays open before one request may probe. */
const FAULTS_TO_OPEN = 10;
const OPEN_MS = 1_000;

/**
 * Has requests answered at once in place of queueing on a service that does not answer. Any answer at all (also a 5xx)
 * closes it: it guards against silence, not against errors.
 */
export class Breaker {
  #faults = 0;
  #openUntil = 0;

  /** May a request be sent now? `false` while it is open. */
  admits(): boolean {
    if (this.#openUntil === 0) return true;
    const now = Date.now();
    if (now < this.#openUntil) return false;
    // Half open: this request probes, the others wait for its outcome or for the next turn.
    this.#openUntil = now + OPEN_MS;
    return true;
  }

  answered(): void {
    this.#faults = 0;
    this.#openUntil = 0;
  }

  /** The service could not be reached, cut the connection or let a deadline pass. */
  failed(): void {
    this.#faults += 1;
    if (this.#faults >= FAULTS_TO_OPEN) this.#openUntil = Date.now() + OPEN_MS;
  }

  /** Is it open? Asks without taking the turn of a probe. */
  get isOpen(): boolean {
    return this.#openUntil > Date.now();
  }
}
