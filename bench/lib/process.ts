import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type Child = { port: number; pid: number; stop: () => Promise<void> };

/** Clock ticks per second in `/proc`: 100 on every Linux that Node runs on. */
const TICKS_PER_MS = 100 / 1_000;

/**
 * Starts a script as a process of its own and waits for it to tell its port (`process.send({ port })`).
 * It ends with this process.
 */
export async function startChild(script: URL, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const child = fork(script, { env: { ...process.env, ...env }, execArgv: [] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) =>
      reject(new Error(`${script.pathname} ended with ${code} before it listened`)),
    );
  });
  return { port, pid: child.pid ?? 0, stop: () => stop(child) };
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/**
 * Milliseconds of processor time that the main thread of a process has used; NaN where there is no
 * `/proc`. On a busy machine this says more than throughput: time spent waiting for a core is not in it.
 */
export function cpuMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  } catch {
    // Not Linux, or the process is gone: there is no figure, which the table shows as such.
    return Number.NaN;
  }
  // The name in parentheses may hold spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_MS;
}
