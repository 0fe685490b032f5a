/** PostgreSQL's error code for a wrong password. */
const WRONG_PASSWORD = '28P01';

/**
 * The address of a database, whose password may be `old,new` while it is rotated: the server accepts one of them.
 * (PostgreSQL keeps one password per role.)
 */
export class Address {
  /** One for each password. */
  readonly #all: readonly string[];
  #current = 0;

  constructor(url: string) {
    const { password } = new URL(url);
    const withPassword = (one: string): string => Object.assign(new URL(url), { password: one }).href;
    this.#all = password.includes(',') ? password.split(',').map(withPassword) : [url];
  }

  get current(): string {
    return this.#all[this.#current] ?? '';
  }

  /** Connects by the current address, or by the next one if the server refuses the password. */
  async connect<C>(attempt: () => Promise<C>, left = this.#all.length - 1): Promise<C> {
    const used = this.#current;
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD))
        throw error;
      // Another attempt may have moved on meanwhile.
      if (this.#current === used) this.#current = (used + 1) % this.#all.length;
      return await this.connect(attempt, left - 1);
    }
  }
}
