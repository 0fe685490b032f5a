import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild, stopOrphan } from '../processes/child.ts';
import { askPort } from '../processes/ports.ts';
import type { BackingPaths } from './paths.ts';
import { removeContainer, serverCommand } from './server-program.ts';
import { runPart, type Part } from '../processes/part.ts';

/**
 * Starts redis-server with an append-only file under the state directory, with a password.
 *
 * @param databases how many numbered databases it offers (test files take one each)
 */
export async function startRedis(paths: BackingPaths, databases: number): Promise<Part> {
  const dir = join(paths.dataDir, 'redis');
  const recordFile = paths.record('redis');
  const password = paths.secret('redis-password');
  await stopOrphan(recordFile);
  mkdirSync(dir, { recursive: true });

  return runPart({
    name: 'redis-server',
    logFile: paths.log('redis'),
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    launch: async (port) => {
      await removeContainer({ program: 'redis-server', dir });
      const config = join(dir, 'redis.conf');
      const { command, args, listenHost } = serverCommand({
        program: 'redis-server',
        args: [config],
        dir,
        port,
      });
      writeFileSync(config, redisConfig({ listenHost, port, dir, password, databases }), { mode: 0o600 });
      return startChild({
        name: 'redis-server',
        command,
        args,
        cwd: dir,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
        logFile: paths.log('redis'),
        recordFile,
        stopSignal: 'SIGTERM',
      });
    },
    probe: async (port) => {
      const answer = await askPort(port, `AUTH ${password}\r\nPING\r\n`);
      // While it still loads the append-only file, PING is answered with -LOADING.
      if (!answer.includes('+PONG')) throw new Error(answer.trim());
    },
  });
}

function redisConfig(cfg: {
  listenHost: string;
  port: number;
  dir: string;
  password: string;
  databases: number;
}): string {
  return [
    `bind ${cfg.listenHost}`,
    `port ${cfg.port}`,
    `dir ${JSON.stringify(cfg.dir)}`,
    `requirepass ${cfg.password}`,
    `databases ${cfg.databases}`,
    'appendonly yes',
    'save ""',
    'daemonize no',
    '',
  ].join('\n');
}
