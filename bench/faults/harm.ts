/** What is done to a product under load: parts of it are killed, or its connections are cut. */
export interface Harm {
  /** Its plural in words: `kills`. */
  readonly what: string;
  /** How often it has happened. */
  readonly done: number;
  /** What did not come back; it ends the run. */
  readonly stuck: readonly string[];
  /** What it waits for now, in words. */
  waitsFor(): string;
  /**
   * Goes on until it has happened `times` times, something is stuck or `signal` ends it.
   *
   * @param work how much callers have got done so far, in any unit
   */
  run(times: number, work: () => number, signal: AbortSignal): Promise<void>;
}
