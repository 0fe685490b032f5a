/** The service as a process of its own, as the product runs it: for tests that kill it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@karaar/testing/until';

export type ServiceProcess = { stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void> };

/** Starts it and waits until it takes requests. @param env what the service reads */
export async function startProcess(env: Record<string, string>, port: number): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok === true;
  await until('the process is ready', isReady, 60_000);
  return {
    stop: async (signal) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
