import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresIsInstalled } from '../backing/postgres-home.ts';
import { SetupError } from '../machine/report.mjs';
import { findProgram, searchPath } from '../machine/run.mjs';
import { cloneRoot, stateRoot } from '../roots.ts';

/** The servers of one run of tests. */
export interface TestBacking {
  readonly postgresUrl: string;
  readonly natsUrl: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

/** Whether PostgreSQL, NATS and Redis are processes of the machine, or containers. */
export type TestBackingKind = 'embedded' | 'containers';

/** The images of containers: those of infra/docker/compose.yaml. */
export const IMAGES = {
  postgres: 'postgres:18.1-trixie',
  nats: 'nats:2.15.1-alpine',
  redis: 'valkey/valkey:9.0.0-alpine',
} as const;

/** The addresses of the shared test services. */
export interface TestUrls {
  postgresUrl: string;
  natsUrl: string;
  redisUrl: string;
  /** How many NATS accounts (t0, t1, …) and Redis databases (16, 17, …) are available to test files. */
  isolated: number;
}

/** The host's record for its clients. */
export interface HostCard extends TestUrls {
  port: number;
  token: string;
}

/** The files of a host; hosts of different kinds can run at the same time. */
export interface HostPlaces {
  stateDir: string;
  card: string;
  lock: string;
  log: string;
}

export function hostPlaces(kind: TestBackingKind): HostPlaces {
  const name = kind === 'embedded' ? 'test' : 'test-containers';
  const stateDir = join(stateRoot, name);
  return {
    stateDir,
    card: join(stateDir, 'run', 'host.json'),
    lock: join(stateRoot, `${name}-host.lock`),
    log: join(stateRoot, 'logs', `${name}-host.log`),
  };
}

const host = fileURLToPath(new URL('./host.ts', import.meta.url));
/** A machine without the images downloads three of them first. */
const timeoutMs: Record<TestBackingKind, number> = { embedded: 120_000, containers: 600_000 };
const startAttempts = 3;
const shownLogLines = 15;

/**
 * Returns the PostgreSQL, NATS and Redis that all test processes of this clone share. The first client starts
 * them; they stop some seconds after the last client's process has ended. A client is an open connection,
 * which the system closes when its process ends in any way.
 *
 * @throws Error that names the log file if they did not start
 * @throws SetupError for an invalid value of `TEST_BACKING`
 */
export async function sharedTestBacking(env: NodeJS.ProcessEnv = process.env): Promise<TestUrls> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    throw new Error(
      `This is Node ${process.versions.node}: put node_modules/.bin first on the PATH, it has Node 24`,
    );
  }
  const kind = testBackingKind(env);
  const places = hostPlaces(kind);
  const deadline = Date.now() + timeoutMs[kind];
  let starting: HostStart | undefined;
  let failures = 0;
  while (Date.now() < deadline) {
    const urls = await joinHost(places.card);
    if (urls !== undefined) return urls;
    if (starting?.failed === true && (failures += 1) === startAttempts) throw notStarted(places.log);
    // Another process may start the host at the same time: only one gets the lock, the others exit.
    if (starting?.running !== true) starting = startHost(kind, places, env);
    await new Promise((resolve) => setTimeout(resolve, 100 + randomBytes(1).readUInt8() / 2));
  }
  throw notStarted(places.log);
}

/**
 * Returns the kind that `TEST_BACKING` names; without it embedded if all three servers are installed, else
 * containers.
 *
 * @throws SetupError for another value
 */
export function testBackingKind(env: NodeJS.ProcessEnv, path = searchPath(cloneRoot)): TestBackingKind {
  const kind = env['TEST_BACKING'] ?? '';
  if (kind === 'embedded' || kind === 'containers') return kind;
  if (kind !== '') throw new SetupError(`TEST_BACKING is "${kind}"; it can be embedded or containers`);
  const programs = ['nats-server', 'redis-server'];
  const all = programs.every((name) => findProgram([name], path) !== undefined) && postgresIsInstalled();
  return all ? 'embedded' : 'containers';
}

function notStarted(log: string): Error {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-shownLogLines);
  return new Error(`The test services did not start. The end of ${log}:\n    ${lines.join('\n    ')}`);
}

/** Connects to a running host and stays connected until this process ends. */
async function joinHost(file: string): Promise<TestUrls | undefined> {
  const card = readCard(file);
  if (card === undefined) return undefined;
  return new Promise((resolve) => {
    const socket: Socket = connect({ port: card.port, host: '127.0.0.1' });
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('data', (data) => {
      if (data.toString('utf8').trim() !== card.token) {
        socket.destroy(); // the port now belongs to another process
        return;
      }
      socket.setTimeout(0);
      socket.unref();
      const { postgresUrl, natsUrl, redisUrl, isolated } = card;
      resolve({ postgresUrl, natsUrl, redisUrl, isolated });
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(undefined));
  });
}

function readCard(file: string): HostCard | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as HostCard;
  } catch {
    return undefined; // no host yet
  }
}

interface HostStart {
  running: boolean;
  failed: boolean;
}

function startHost(kind: TestBackingKind, { log }: HostPlaces, env: NodeJS.ProcessEnv): HostStart {
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'a');
  const state: HostStart = { running: true, failed: false };
  const child = spawn(process.execPath, [host, kind], {
    stdio: ['ignore', output, output],
    detached: true,
    env: hostEnv(env),
  });
  closeSync(output);
  child.once('exit', (code) => Object.assign(state, { running: false, failed: code !== 0 }));
  child.once('error', () => Object.assign(state, { running: false, failed: true }));
  child.unref();
  return state;
}

/** The PATH, and the variables of Docker's client and of Testcontainers. */
function hostEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = new Set(['PATH', 'HOME', 'XDG_RUNTIME_DIR']);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => names.has(name) || /^(DOCKER|TESTCONTAINERS|RYUK)_/.test(name)),
  );
}
