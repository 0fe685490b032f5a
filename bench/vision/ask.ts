/** Asks the vision service and OpenCV's Haar cascades the same questions about photos, each in a process of its own. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureTool } from '../lib/install.ts';

/** `smallest`: pixels of the smallest face that Haar looks for. */
export type Question = { path: string; type: 'faces' | 'eyes'; smallest?: number };
/** `warmUp`: as many of the questions are asked once more, before. */
export type Asked = { questions: readonly Question[]; warmUp: number };
export type Answer = {
  ok: boolean;
  /** Milliseconds from the file's bytes to the answer. */
  ms: number;
  /** Processor time of the same, which a busy machine stretches less. */
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

/** Debian's OpenCV for Python. @returns nothing, and prints the reason, when it cannot be installed here */
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
