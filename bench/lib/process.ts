/** Child processes of a benchmark, and what Linux's /proc says of any process. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export type Child = { port: number; pid: number; stop: () => Promise<void> };

/**
 * Starts a script as a process of its own and waits for it to tell its port (`process.send({ port })`).
 * It ends with this process.
 */
export async function startChild(script: URL, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  const child = fork(script, { env: { ...process.env, ...env }, execArgv: [] });
  const { port } = (await firstMessage(child)) as { port: number };
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
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

/** Where product and sender run. A sender has a core of its own, so that the load does not take what it measures. */
export const where = canPin ? `product on cores 0–${cores - 2}, sender on core ${cores - 1}` : 'not pinned';

/** From here on this process and all that it starts leave the last core alone. */
export const leaveLastCore = (): void => pin(`0-${cores - 2}`, process.pid);

/** Starts a script, which sends a message when it is ready, on the last core. */
export async function forkOnLastCore(script: URL): Promise<ChildProcess> {
  const child = fork(script, { execArgv: [], serialization: 'advanced' });
  pin(String(cores - 1), child.pid);
  await firstMessage(child);
  return child;
}

/** Milliseconds of a clock tick in /proc: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

type Stat = { parent: number; ownMs: number; endedMs: number };

/** Processor time of a process or thread, and of its children that have ended. Undefined when it is gone or there is no /proc. */
function statOf(path: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${path}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // After the name in brackets, which may hold anything: state, parent, … (fields 3, 4, …).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]);
  return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, endedMs: (at(16) + at(17)) * TICK_MS };
}

/**
 * Milliseconds of processor time that the main thread of a process has used; NaN where there is no `/proc`. On a busy
 * machine this says more than throughput: time spent waiting for a core is not in it.
 */
export const mainThreadMs = (pid: number): number => statOf(`${pid}/task/${pid}`)?.ownMs ?? Number.NaN;

/** A process and all below it. */
export function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    parents.set(Number(name), statOf(name)?.parent ?? 0);
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter(isBelow);
}

/** Milliseconds of processor time that a process and all below it have used so far. */
export const processorMs = (root: number): number =>
  treeOf(root).reduce((sum, pid) => {
    const stat = statOf(String(pid));
    return sum + (stat ? stat.ownMs + stat.endedMs : 0);
  }, 0);
