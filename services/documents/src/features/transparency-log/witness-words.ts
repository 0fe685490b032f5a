/**
 * The last answer of each witness to this process. The log grows only while a quorum agrees: every confirmed
 * checkpoint has a witness in that quorum, which would refuse a log with another history.
 */
import { LogBroken } from './log.errors.ts';

type Word = { fault: string } | { history: string };

export class WitnessWords {
  readonly #heard = new Map<string, Word>();
  readonly #names: readonly string[];
  readonly #quorum: number;

  constructor(names: readonly string[], quorum: number) {
    this.#names = names;
    this.#quorum = quorum;
  }

  of(name: string): 'silent' | 'agrees' | 'refuses' {
    const word = this.#heard.get(name);
    if (!word) return 'silent';
    return 'fault' in word ? 'refuses' : 'agrees';
  }

  /** @param history of the database (`historyOf`), read before the witness was asked */
  agrees(name: string, history: string): void {
    this.#heard.set(name, { history });
  }

  refuses(name: string, fault: string): void {
    this.#heard.set(name, { fault });
  }

  forget(): void {
    this.#heard.clear();
  }

  /** Returns the database histories in which witnesses agreed: more than one only after a recovery. */
  histories(): ReadonlySet<string> {
    return new Set([...this.#heard.values()].flatMap((word) => ('history' in word ? [word.history] : [])));
  }

  /** Returns true until a quorum agrees. Throws LogBroken if refusals leave too few witnesses for one. */
  awaitsQuorum(): boolean {
    const faults = [...this.#heard.values()].flatMap((word) => ('fault' in word ? [word.fault] : []));
    if (this.#names.length - faults.length < this.#quorum) throw new LogBroken(faults.join('; '));
    return this.#names.filter((name) => this.of(name) === 'agrees').length < this.#quorum;
  }
}
