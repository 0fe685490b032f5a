/** Child processes of a benchmark, and the processor time of any process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statOf, treeOf } from '@karaar/testing/processes/proc';

export type Child = { port: number; stop: () => Promise<void> };

/** Starts a script as a child process and waits for the message with its port (`process.send({ port })`). */
export async function startChild(script: URL, env: Readonly<Record<string, string>>): Promise<Child> {
  const child = fork(script, { env: { ...process.env, ...env }, execArgv: [] });
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnargs.at(-1)} ended with ${code} before it was ready`)),
    );
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { port, stop };
}

/** Returns the processor time of a main thread in ms, without its waiting for a core; NaN without `/proc`. */
export const mainThreadMs = (pid: number): number => statOf(`${pid}/task/${pid}`).ownMs;

/** Returns the milliseconds of processor time that a process and all below it have used so far. */
export const processorMs = (root: number): number =>
  treeOf(root).reduce((sum, pid) => {
    const { ownMs, endedMs } = statOf(String(pid));
    return sum + (ownMs + endedMs || 0);
  }, 0);
