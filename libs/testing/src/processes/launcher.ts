import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs code in a child process that keeps running, so that a test can kill it. Resolves with the value that
 * the code passes to `report(value)`.
 *
 * @param dir folder for the program
 * @param code body of a module; `src(path)` in it imports from infra/dev/src
 */
export async function launcher(
  dir: string,
  code: string,
): Promise<{ process: ChildProcess; reported: unknown }> {
  const file = join(dir, `launcher-${Date.now()}-${Math.random().toString(36).slice(2)}.mjs`);
  const src = fileURLToPath(new URL('..', import.meta.url));
  const head = `const src = (path) => import(${JSON.stringify(src)} + path);\nconst report = (value) => process.send(value);\nprocess.on('disconnect', () => process.exit());\n`;
  writeFileSync(file, `${head}setInterval(() => undefined, 1000);\n${code}`);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const reported = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (status) =>
      reject(new Error(`the launcher ended with ${status} before it called report()`)),
    );
  });
  return { process: child, reported };
}

/** Kills a process with SIGKILL, as in a power cut, and waits until it is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
