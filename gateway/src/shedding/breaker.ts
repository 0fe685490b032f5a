/** Faults in a row that open the breaker, and milliseconds until one request may probe. */
const FAULTS_TO_OPEN = 10;
const OPEN_MS = 1_000;

/**
 * Makes requests fail at once instead of waiting for a service that does not answer. Any answer closes it,
 * even a 5xx: it guards against silence, not against errors.
 */
export class Breaker {
  #faults = 0;
  #openUntil = 0;

  admits(): boolean {
    if (this.#openUntil === 0) return true;
    const now = Date.now();
    if (now < this.#openUntil) return false;
    // Half open: this request probes, and the others wait for its outcome or the next probe.
    this.#openUntil = now + OPEN_MS;
    return true;
  }

  answered(): void {
    this.#faults = 0;
    this.#openUntil = 0;
  }

  /** Call it if the service could not be reached, cut the connection or missed a deadline. */
  failed(): void {
    this.#faults += 1;
    if (this.#faults >= FAULTS_TO_OPEN) this.#openUntil = Date.now() + OPEN_MS;
  }

  /** True while the breaker is open. Reading it does not use up the next probe. */
  get isOpen(): boolean {
    return this.#openUntil > Date.now();
  }
}
