import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../../bootstrap/report.mjs';
import { findProgram, run, searchPath } from '../../bootstrap/run.mjs';
import { startChild, stopOrphan, type Child } from '../processes/child.ts';
import { cloneRoot, stateRoot } from '../roots.ts';
import { ownerLabel } from '../test-backing/containers.ts';
import { containerSocket } from '../test-backing/socket.ts';

const home = join(stateRoot, 'podman');
const answerMs = 30_000;

/** crun refuses some machines' cgroups, and limits above the machine's own are refused: lower ones are named. */
const configuration = `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
runtime = "runc"
`;

/**
 * What podman runs with: settings that work as root in a container as well.
 *
 * @throws SetupError that names the packages when programs are missing
 */
export function podmanEnv(): NodeJS.ProcessEnv {
  const path = searchPath(cloneRoot);
  const missing = ['podman', 'runc', 'mmdebstrap', 'iptables'].filter(
    (program) => findProgram([program], path) === undefined,
  );
  if (missing.length > 0)
    throw new SetupError(
      `Missing: ${missing.join(', ')}. Run: apt-get install podman buildah runc mmdebstrap netavark aardvark-dns iptables`,
    );
  mkdirSync(home, { recursive: true });
  const file = join(home, 'containers.conf');
  writeFileSync(file, configuration);
  return { ...process.env, PATH: path, CONTAINERS_CONF: file };
}

/** `podman system service`, which ends with this process however that ends. */
export async function startPodman(env: NodeJS.ProcessEnv): Promise<{ socket: string; service: Child }> {
  const socket = `unix://${join(home, 'podman.sock')}`;
  const recordFile = join(home, 'service.json');
  await stopOrphan(recordFile);
  const service = await startChild({
    name: 'podman',
    command: 'podman',
    args: ['system', 'service', '--time=0', socket],
    cwd: home,
    env,
    logFile: join(stateRoot, 'logs', 'podman.log'),
    recordFile,
    stopSignal: 'SIGTERM',
  });
  for (const until = Date.now() + answerMs; Date.now() < until && service.running(); await sleep(50))
    if ((await containerSocket({ DOCKER_HOST: socket })) !== undefined) return { socket, service };
  await service.stop();
  throw new Error(`podman's service did not answer, see ${join(stateRoot, 'logs', 'podman.log')}`);
}

/** Ids of the containers of tests that are there, running or not. */
export async function leftContainers(env: NodeJS.ProcessEnv): Promise<string[]> {
  const listed = await run('podman', ['ps', '--all', '--quiet', '--filter', `label=${ownerLabel}`], { env });
  return listed.split('\n').filter((line) => line !== '');
}
