import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Question = { path: string; type: 'faces' | 'eyes' };
/** `warmUp`: the number of questions that are also answered before the measurement. */
export type Asked = { questions: readonly Question[]; warmUp: number };
export type Answer = {
  ok: boolean;
  /** The time from the file's bytes to the answer. */
  ms: number;
  /** Its processor time, which depends less on the load of the machine. */
  cpuMs: number;
  reason?: string;
};
/** Judges photos by the vision service's code in a child process. @throws Error if it does not answer all */
export async function ours(questions: readonly Question[], warmUp: number): Promise<Answer[]> {
  const script = fileURLToPath(new URL('./ours.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ questions, warmUp } satisfies Asked));
  const answers = JSON.parse(await text(child.stdout)) as Answer[];
  if (answers.length !== questions.length) throw new Error(`${script} answered ${answers.length} questions`);
  return answers;
}
