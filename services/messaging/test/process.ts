/** Runs the service as a separate process, for tests that kill it and for measurements. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@karaar/testing/until';

export type ServiceProcess = {
  url: string;
  pid: number;
  stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
};

/**
 * Starts the process and waits until it accepts requests.
 * @param env environment variables, as a service world has them
 */
export async function startProcess(env: Record<string, string>, port: number): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port), NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
  await until('the process is ready', isReady, 60_000);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async (signal) => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    },
  };
}
