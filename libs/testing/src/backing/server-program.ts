import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../machine/report.mjs';
import { findProgram, run, searchPath } from '../machine/run.mjs';
import { startChild, stopOrphan } from '../processes/child.ts';
import { runPart, type Part, type PartSpec } from '../processes/part.ts';
import { cloneRoot } from '../roots.ts';
import type { BackingPaths } from './paths.ts';

/** The command of one server: the machine's own program, or the same program in a container. */
export interface ServerProgram {
  listenHost: string;
  command: string;
  args: string[];
}

export interface ServerRequest {
  program: 'nats-server' | 'redis-server';
  args: string[];
  /** Its folder: a container mounts only this folder, under the same path. */
  dir: string;
  port: number;
}

export interface ServerSpec extends Pick<PartSpec, 'url' | 'probe'> {
  name: 'nats' | 'redis';
  program: ServerRequest['program'];
  /** Arguments before the name of its configuration file. */
  args: string[];
  config: (at: { listenHost: string; port: number; dir: string }) => string;
}

const images = { 'nats-server': 'nats:2.15-alpine', 'redis-server': 'redis:8-alpine' } as const;

/**
 * Starts a server with its data below the state directory, after stopping the leftovers of a killed launcher.
 */
export async function startServer(paths: BackingPaths, spec: ServerSpec): Promise<Part> {
  const { name, program, url, probe } = spec;
  const [dir, logFile, recordFile] = [join(paths.dataDir, name), paths.log(name), paths.record(name)];
  await stopOrphan(recordFile);
  mkdirSync(dir, { recursive: true });
  return runPart({
    name: program,
    logFile,
    url,
    probe,
    launch: async (port) => {
      await removeContainer({ program, dir });
      const file = join(dir, `${name}.conf`);
      const { command, args, listenHost } = serverCommand({ program, args: [...spec.args, file], dir, port });
      writeFileSync(file, spec.config({ listenHost, port, dir }), { mode: 0o600 });
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
      return startChild({
        ...{ name: program, command, args, cwd: dir, env, logFile, recordFile },
        stopSignal: 'SIGTERM',
      });
    },
  });
}

/**
 * Returns the command of a server: its program on the PATH, else Docker, publishing the port on loopback
 * only.
 *
 * @throws SetupError if neither is available
 */
export function serverCommand(request: ServerRequest, path = searchPath(cloneRoot)): ServerProgram {
  const { program, args, dir, port } = request;
  const own = findProgram([program], path);
  if (own !== undefined) return { listenHost: '127.0.0.1', command: own, args };
  const docker = findProgram(['docker'], path);
  if (docker === undefined)
    throw new SetupError(
      `There is neither ${program} nor docker on the PATH. Run: node infra/dev/bootstrap.mjs install`,
    );
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const container = ['run', '--rm', '--init', '--name', containerName(request), '--user', user];
  const reach = ['--volume', `${dir}:${dir}`, '--publish', `127.0.0.1:${port}:${port}`];
  return {
    listenHost: '0.0.0.0',
    command: docker,
    args: [...container, ...reach, images[program], program, ...args],
  };
}

/** Removes the container that a killed Docker client has left behind. */
export async function removeContainer(
  request: Pick<ServerRequest, 'program' | 'dir'>,
  path = searchPath(cloneRoot),
): Promise<void> {
  const docker = findProgram(['docker'], path);
  if (docker === undefined || findProgram([request.program], path) !== undefined) return;
  const name = containerName(request);
  const there = await run(docker, ['ps', '--all', '--quiet', '--filter', `name=^${name}$`]);
  if (there.trim() !== '') await run(docker, ['rm', '--force', name]);
}

function containerName({ program, dir }: Pick<ServerRequest, 'program' | 'dir'>): string {
  return `karaar-${program}-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}
