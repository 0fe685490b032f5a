/** Child processes of a benchmark, and the figures of Linux's /proc about any process. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export type Child = { port: number; pid: number; stop: () => Promise<void> };

/** Starts a script as a child process and waits for the message with its port (`process.send({ port })`). */
export async function startChild(script: URL, env: Readonly<Record<string, string>>): Promise<Child> {
  const child = fork(script, { env: { ...process.env, ...env }, execArgv: [] });
  const { port } = (await firstMessage(child)) as { port: number };
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { port, pid: child.pid ?? 0, stop };
}

const firstMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnargs.at(-1)} ended with ${code} before it was ready`)),
    );
  });

const cores = availableParallelism();
const canPin = process.platform === 'linux' && cores >= 3;
const pin = (to: string, pid: number | undefined): void => {
  if (canPin) execFileSync('taskset', ['-apc', to, String(pid)], { stdio: 'ignore' });
};

/** The cores of product and sender. The sender has its own core, so that it does not slow down the product. */
export const where = canPin ? `product on cores 0–${cores - 2}, sender on core ${cores - 1}` : 'not pinned';

/** Keeps this process, and all that it starts from now on, off the last core. */
export const leaveLastCore = (): void => pin(`0-${cores - 2}`, process.pid);

/** Starts a script, which sends a message when it is ready, on the last core. */
export async function forkOnLastCore(script: URL): Promise<ChildProcess> {
  const child = fork(script, { execArgv: [], serialization: 'advanced' });
  pin(String(cores - 1), child.pid);
  await firstMessage(child);
  return child;
}

/** Returns a file of /proc; empty when the process has ended, or without /proc. */
export function procFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return '';
  }
}

/** Milliseconds of a clock tick in /proc: USER_HZ is 100 on every Linux that Node supports. */
const TICK_MS = 10;

/** Returns the parent of a process or thread, its processor time, and that of its children that have ended. */
function statOf(path: string): { parent: number; ownMs: number; endedMs: number } {
  const text = procFile(`${path}/stat`);
  // The fields 3, 4, … follow the name in brackets, which may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, endedMs: (at(16) + at(17)) * TICK_MS };
}

/** Returns the processor time of a main thread in ms, without its waiting for a core; NaN without `/proc`. */
export const mainThreadMs = (pid: number): number => statOf(`${pid}/task/${pid}`).ownMs;

/** Returns a process and all processes below it. */
export function treeOf(root: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, statOf(String(pid)).parent]));
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return pids.filter(isBelow);
}

/** Returns the milliseconds of processor time that a process and all below it have used so far. */
export const processorMs = (root: number): number =>
  treeOf(root).reduce((sum, pid) => {
    const { ownMs, endedMs } = statOf(String(pid));
    return sum + (ownMs + endedMs || 0);
  }, 0);
