import { spawn, type ChildProcess } from 'node:child_process';
import { killHard } from '../processes/launcher.ts';
import { freePort } from '../processes/ports.ts';

/** A Redis for one test, which may kill and restart it (the harness's shared one must stay up). */
export type OwnRedis = { url: string; start(): Promise<void>; kill(): Promise<void> };

/** Prepares a `redis-server` without persistence on a free loopback port; `start()` runs it. */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const server = spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      child = server;
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
        server.stdout.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('Ready to accept connections')) resolve();
        });
      });
    },
    async kill() {
      const server = child;
      child = undefined;
      if (server) await killHard(server);
    },
  };
}
