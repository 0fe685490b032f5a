import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateRoot } from './roots.ts';

/** Where the shared test services are. */
export interface TestUrls {
  postgresUrl: string;
  natsUrl: string;
  redisUrl: string;
  /** How many NATS accounts (t0, t1, …) and Redis databases (16, 17, …) test files can share out. */
  isolated: number;
}

/** What the host of the shared services writes down for its users. */
export interface HostCard extends TestUrls {
  port: number;
  token: string;
}

export const testStateDir = join(stateRoot, 'test');
export const hostCardFile = join(testStateDir, 'run', 'host.json');
export const hostLockFile = join(stateRoot, 'test-host.lock');

const host = fileURLToPath(new URL('./test-backing/host.ts', import.meta.url));
const timeoutMs = 120_000;

/**
 * The PostgreSQL, NATS and Redis that all test processes of this clone share. The first user starts
 * them; they stop some seconds after the last user's process has ended. A user is counted by an open
 * connection, which the system closes for a process that dies in any way.
 *
 * @throws Error when they did not start in two minutes; the log file is named
 */
export async function sharedTestBacking(): Promise<TestUrls> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    throw new Error(
      `This is Node ${process.versions.node}: put node_modules/.bin first on the PATH, it has Node 24`,
    );
  }
  const log = join(stateRoot, 'logs', 'test-host.log');
  const deadline = Date.now() + timeoutMs;
  let starting: { running: boolean } | undefined;
  while (Date.now() < deadline) {
    const card = await joinHost();
    if (card !== undefined) return card;
    // Another process may be starting the host as well: all but one find the lock taken and leave.
    if (starting?.running !== true) starting = startHost(log);
    await new Promise((resolve) => setTimeout(resolve, 100 + randomBytes(1).readUInt8() / 2));
  }
  throw new Error(`The test services did not start in ${timeoutMs / 1000} s, see ${log}`);
}

/** Connects to a running host and stays connected until this process ends. */
async function joinHost(): Promise<TestUrls | undefined> {
  const card = readCard();
  if (card === undefined) return undefined;
  return new Promise((resolve) => {
    const socket: Socket = connect({ port: card.port, host: '127.0.0.1' });
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('data', (data) => {
      if (data.toString('utf8').trim() !== card.token) {
        socket.destroy(); // the port belongs to somebody else by now
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

function readCard(): HostCard | undefined {
  try {
    return JSON.parse(readFileSync(hostCardFile, 'utf8')) as HostCard;
  } catch {
    return undefined; // no host yet
  }
}

function startHost(log: string): { running: boolean } {
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'a');
  const state = { running: true };
  const child = spawn(process.execPath, [host], {
    stdio: ['ignore', output, output],
    detached: true,
    env: { PATH: process.env['PATH'] },
  });
  closeSync(output);
  child.once('exit', () => (state.running = false));
  child.once('error', () => (state.running = false));
  child.unref();
  return state;
}
