/** A service as a child process: a test can kill it and restart it at the same address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { killHard } from '../processes/launcher.ts';
import { freePort } from '../processes/ports.ts';
import { until } from '../until.ts';

export type ServiceProcess = {
  url: string;
  /** Resolves when it is ready. @throws Error if it ended instead, for example without its database */
  start: () => Promise<void>;
  /** Of the running process. @throws Error if none runs */
  pid: () => number;
  /** SIGKILL, and waits until it is gone. */
  kill: () => Promise<void>;
};

/** How many of the last characters of the output the error contains. */
const SAID = 2_000;

/**
 * @param main path of the service's main.ts
 * @param env its whole environment, including `SERVICE_NAME`; the port is chosen here
 */
export async function serviceProcess(main: string, env: Record<string, string>): Promise<ServiceProcess> {
  const name = String(env['SERVICE_NAME']);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const onExit = () => child?.kill('SIGKILL');
  return {
    url,
    start: async () => {
      const started = spawn(process.execPath, [main], {
        env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      process.once('exit', onExit);
      started.once('exit', () => process.off('exit', onExit));
      let said = '';
      started.stderr.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-SAID)));
      child = started;
      await until(`${name} is ready`, async () => gone(started) || (await fetch(`${url}/readyz`)).ok);
      if (gone(started)) throw new Error(`${name} ended at its start: ${said}`);
    },
    pid: () => {
      if (child?.pid === undefined) throw new Error(`${name} does not run`);
      return child.pid;
    },
    kill: async () => {
      const last = child;
      child = undefined;
      if (last) await killHard(last);
    },
  };
}

const gone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
