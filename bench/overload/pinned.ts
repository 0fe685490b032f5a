/** Keeps sender and product apart where the machine has cores for that, so that the load does not take what it measures. */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';

const cores = availableParallelism();
const canPin = process.platform === 'linux' && cores >= 3;

/** What the product has, and the sender. */
export const where = canPin ? `product on cores 0–${cores - 2}, sender on core ${cores - 1}` : 'not pinned';

/** From here on this process and all that it starts leave the last core alone. */
export function leaveLastCore(): void {
  if (canPin) execFileSync('taskset', ['-apc', `0-${cores - 2}`, String(process.pid)], { stdio: 'ignore' });
}

/** Starts a script, which says something when it is ready, on the last core. */
export async function forkOnLastCore(script: URL): Promise<ChildProcess> {
  const child = fork(script, { execArgv: [], serialization: 'advanced' });
  if (canPin) execFileSync('taskset', ['-apc', String(cores - 1), String(child.pid)], { stdio: 'ignore' });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${script.pathname} ended with ${code}`)));
  });
  return child;
}
