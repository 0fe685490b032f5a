import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild, stopOrphan } from '../processes/child.ts';
import { askPort } from '../processes/ports.ts';
import type { BackingPaths } from './paths.ts';
import { removeContainer, serverCommand } from './server-program.ts';
import { runPart, type Part } from '../processes/part.ts';

/**
 * Starts nats-server with JetStream, streams on disk under the state directory.
 *
 * @param isolated number of extra accounts `t0`, `t1`, … (password = name), each with streams and
 *   subjects of its own, so that test files on one server never see each other
 */
export async function startNats(paths: BackingPaths, isolated: number): Promise<Part> {
  const dir = join(paths.dataDir, 'nats');
  const recordFile = paths.record('nats');
  await stopOrphan(recordFile);
  mkdirSync(dir, { recursive: true });

  return runPart({
    name: 'nats-server',
    logFile: paths.log('nats'),
    url: (port) => `nats://127.0.0.1:${port}`,
    launch: async (port) => {
      await removeContainer({ program: 'nats-server', dir });
      const config = join(dir, 'nats.conf');
      const { command, args, listenHost } = serverCommand({
        program: 'nats-server',
        args: ['-c', config],
        dir,
        port,
      });
      writeFileSync(
        config,
        natsConfig({ listen: `${listenHost}:${port}`, storeDir: join(dir, 'streams'), isolated }),
      );
      return startChild({
        name: 'nats-server',
        command,
        args,
        cwd: dir,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
        logFile: paths.log('nats'),
        recordFile,
        stopSignal: 'SIGTERM',
      });
    },
    probe: async (port) => {
      const info = await askPort(port, '');
      if (!info.startsWith('INFO ') || !info.includes('"jetstream":true'))
        throw new Error('JetStream is not ready yet');
    },
  });
}

/** The server's configuration file. A client without credentials gets the account `main`. */
export function natsConfig({
  listen,
  storeDir,
  isolated,
}: {
  listen: string;
  storeDir: string;
  isolated: number;
}): string {
  const names = Array.from({ length: isolated }, (_, index) => `t${index}`);
  const account = (name: string) =>
    `  ${name}: { jetstream: enabled, users: [{ user: ${name}, password: ${name} }] }`;
  return [
    `listen: "${listen}"`,
    `jetstream: { store_dir: ${JSON.stringify(storeDir)} }`,
    'max_payload: 1MB',
    `accounts: {\n${['main', ...names].map(account).join('\n')}\n}`,
    'no_auth_user: main',
    '',
  ].join('\n');
}
