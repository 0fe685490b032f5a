/** Judges photos by the vision service and by OpenCV's Haar cascades, each in a child process. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureTool } from '../lib/install.ts';

/** `smallest`: the size of the smallest face that Haar searches, in pixels. */
export type Question = { path: string; type: 'faces' | 'eyes'; smallest?: number };
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
export type Judge = (questions: readonly Question[], warmUp: number) => Promise<Answer[]>;

const judgeBy =
  (command: string, script: string): Judge =>
  async (questions, warmUp) => {
    const child = spawn(command, [fileURLToPath(new URL(script, import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({ questions, warmUp } satisfies Asked));
    const answers = JSON.parse(await text(child.stdout)) as Answer[];
    if (answers.length !== questions.length)
      throw new Error(`${script} answered ${answers.length} questions`);
    return answers;
  };

export const ours = judgeBy(process.execPath, './ours.ts');

/** Finds or installs OpenCV for Python. Prints the reason and returns undefined when that is impossible. */
export function haar(): Judge | undefined {
  try {
    const python = ensureTool({
      command: 'python3',
      debian: ['python3-opencv', 'opencv-data'],
      probe: ['-c', 'import cv2, os; os.stat("/usr/share/opencv4/haarcascades")'],
      alsoIn: ['/usr/bin'],
    });
    return judgeBy(python, './haar.py');
  } catch (error) {
    console.log(`No peer in this run: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
