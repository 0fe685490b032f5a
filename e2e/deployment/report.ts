/** The rehearsal's log: each step with its time and verdict, on standard output and in a file. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Report = {
  say: (line: string) => void;
  /** Runs a step. A text that it answers stands behind its verdict. @returns what it answers. @throws whatever the step threw, after saying so */
  step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
  /** Lines of all steps so far. */
  verdicts: readonly string[];
};

export function createReport(file: string): Report {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const begun = Date.now();
  const verdicts: string[] = [];
  const say = (line: string): void => {
    const at = ((Date.now() - begun) / 1000).toFixed(0).padStart(5);
    process.stdout.write(`${at} s  ${line}\n`);
    appendFileSync(file, `${at} s  ${line}\n`);
  };
  return {
    say,
    verdicts,
    async step(title, work) {
      const from = Date.now();
      const seconds = () => `${((Date.now() - from) / 1000).toFixed(1)} s`;
      try {
        const found = await work();
        verdicts.push(`ok      ${title} (${seconds()})${typeof found === 'string' ? `: ${found}` : ''}`);
        return found;
      } catch (error) {
        verdicts.push(
          `FAILED  ${title} (${seconds()}): ${error instanceof Error ? error.message : String(error)}`,
        );
        throw error;
      } finally {
        say(verdicts.at(-1) ?? '');
      }
    },
  };
}
