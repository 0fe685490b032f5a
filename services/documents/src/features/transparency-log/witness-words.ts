/**
 * The last answer of each witness to this process. The log grows only while a quorum agrees with it: every checkpoint that was
 * ever confirmed has a witness in that quorum, which would not agree with a log that has another history.
 */
import { LogBroken } from './log.errors.ts';

type Word = { fault: string } | { history: string };

export class WitnessWords {
  /** Witnesses that have not answered yet are missing. */
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

  /** @param history of the database (`historyOf`), as it was before the witness was asked */
  agrees(name: string, history: string): void {
    this.#heard.set(name, { history });
  }

  refuses(name: string, fault: string): void {
    this.#heard.set(name, { fault });
  }

  /** Forgets all answers, so that all witnesses are asked again. */
  forget(): void {
    this.#heard.clear();
  }

  /**
   * The histories of the database in which witnesses agreed: only one, unless the database was recovered in between.
   */
  histories(): ReadonlySet<string> {
    return new Set([...this.#heard.values()].flatMap((word) => ('history' in word ? [word.history] : [])));
  }

  /**
   * Whether a quorum has not agreed yet. Throws LogBroken when so many witnesses refuse the log that the others do not make a
   * quorum.
   */
  awaitsQuorum(): boolean {
    const faults = [...this.#heard.values()].flatMap((word) => ('fault' in word ? [word.fault] : []));
    if (this.#names.length - faults.length < this.#quorum) throw new LogBroken(faults.join('; '));
    return this.#names.filter((name) => this.of(name) === 'agrees').length < this.#quorum;
  }
}
