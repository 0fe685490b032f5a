import { SetupError } from '../machine/report.mjs';
import { findProgram, searchPath } from '../machine/run.mjs';
import { postgresIsInstalled } from '../backing/postgres-home.ts';
import { cloneRoot } from '../roots.ts';
import { containerSocket } from './socket.ts';

/** Where tests get PostgreSQL, NATS and Redis from; `socket` is where containers are asked for. */
export type TestBackingChoice = { kind: 'embedded' } | { kind: 'containers'; socket: string };
export type TestBackingKind = TestBackingChoice['kind'];

/** What the choice depends on besides the variable `TEST_BACKING`. */
export interface Surroundings {
  /** All three servers can run without containers. */
  installed: () => boolean;
  socket: () => Promise<string | undefined>;
}

/**
 * Chooses by `TEST_BACKING` (`embedded` or `containers`); without it, the servers of npm and of the machine where
 * all three are there, else containers where a Docker or podman socket answers.
 *
 * @throws SetupError when containers are asked for and no socket answers, and for a value that is neither
 */
export async function chooseTestBacking(
  env: NodeJS.ProcessEnv,
  { installed, socket }: Surroundings = {
    installed: serversAreInstalled,
    socket: () => containerSocket(env),
  },
): Promise<TestBackingChoice> {
  const wanted = env['TEST_BACKING'] ?? '';
  if (!['', 'embedded', 'containers'].includes(wanted))
    throw new SetupError(`TEST_BACKING is "${wanted}"; it can be embedded or containers`);
  if (wanted === 'embedded' || (wanted === '' && installed())) return { kind: 'embedded' };
  const found = await socket();
  if (found !== undefined) return { kind: 'containers', socket: found };
  // Without any of it, starting the embedded ones says which program is missing and how to get it.
  if (wanted === '') return { kind: 'embedded' };
  throw new SetupError(
    `TEST_BACKING=containers: no Docker or podman socket answers${env['DOCKER_HOST'] ? ` at ${env['DOCKER_HOST']}` : ''}. Start Docker, or podman by: npm run test:containers -- COMMAND`,
  );
}

/** Whether PostgreSQL's binaries came with npm and nats-server and redis-server are on the path. */
export function serversAreInstalled(path = searchPath(cloneRoot)): boolean {
  const has = (program: string) => findProgram([program], path) !== undefined;
  return has('nats-server') && has('redis-server') && postgresIsInstalled();
}
