/** The wallet as a process of its own, to be killed and started again on the same address. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '@karaar/testing/until';

export type WalletProcess = {
  url: string;
  start: () => Promise<void>;
  /** SIGKILL, and waits until it is gone. */
  kill: () => Promise<void>;
};

export async function walletProcess(env: Record<string, string>): Promise<WalletProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const onExit = () => child?.kill('SIGKILL');
  process.once('exit', onExit);
  return {
    url,
    start: async () => {
      const started = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
        env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child = started;
      await until('the wallet is ready', async () => {
        if (started.exitCode !== null) throw new Error('the wallet ended at its start');
        return (await fetch(`${url}/readyz`)).ok;
      });
    },
    kill: async () => {
      const gone = child;
      child = undefined;
      if (!gone || gone.exitCode !== null || gone.signalCode !== null) return;
      const exit = new Promise<void>((resolve) => gone.once('exit', () => resolve()));
      gone.kill('SIGKILL');
      await exit;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
