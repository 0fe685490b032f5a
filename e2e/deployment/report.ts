/** The log: each step with its time and verdict, on standard output and in a file. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Report = ReturnType<typeof createReport>;

export function createReport(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const begun = Date.now();
  const verdicts: string[] = [];
  const say = (line: string): void => {
    const text = `${((Date.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}\n`;
    process.stdout.write(text);
    appendFileSync(file, text);
  };
  return {
    say,
    /** Lines of all steps so far. */
    verdicts,
    /** Runs a step. A text that it answers is shown behind its verdict. @returns what it answers. @throws whatever the step threw, after saying so */
    async step<T>(title: string, work: () => Promise<T>): Promise<T> {
      const from = Date.now();
      const close = (verdict: string, more: string): void => {
        const line = `${verdict.padEnd(7)} ${title} (${((Date.now() - from) / 1000).toFixed(1)} s)${more}`;
        verdicts.push(line);
        say(line);
      };
      try {
        const found = await work();
        close('ok', typeof found === 'string' ? `: ${found}` : '');
        return found;
      } catch (error) {
        close('FAILED', `: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      }
    },
  };
}
