/** What each witness has last said of the log to this process: the log grows only while none of them knows another one. */
import { LogBroken } from './log.errors.ts';

export class WitnessWords {
  /** Witness → what it found wrong; undefined: nothing. A witness that has not been heard is not in here. */
  readonly #heard = new Map<string, string | undefined>();
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  of(name: string): 'silent' | 'agrees' | 'refuses' {
    if (!this.#heard.has(name)) return 'silent';
    return this.#heard.get(name) === undefined ? 'agrees' : 'refuses';
  }

  agrees(name: string): void {
    this.#heard.set(name, undefined);
  }

  refuses(name: string, fault: string): void {
    this.#heard.set(name, fault);
  }

  /** Whether a witness has not been heard yet. Throws LogBroken while one of them refuses the log. */
  requireNoFault(): boolean {
    for (const fault of this.#heard.values()) if (fault !== undefined) throw new LogBroken(fault);
    return this.#names.some((name) => this.of(name) === 'silent');
  }
}
