import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Ports from `first` up to, and without, `last`. */
export interface PortRange {
  first: number;
  last: number;
}

/**
 * Where free ports are looked for: below the range from which systems take the ports of outgoing connections
 * (32768 on Linux, 49152 by IANA). A port from there may be lent to a connection before its server listens.
 */
const USUAL: PortRange = { first: 15_000, last: 32_000 };
const ATTEMPTS = 200;

/**
 * One file per chosen port, with the id of the process that chose it. A port is chosen seconds before its
 * server listens, and stays free while that server is restarted: without the claim, another product that is
 * started at the same time could choose it as well.
 */
const CLAIMS = join(tmpdir(), `karaar-ports-${userInfo().username}`);
const claimed = new Set<string>();

/**
 * A TCP port on loopback that nobody listens on at this moment, and that no outgoing connection will be given.
 * No other call of this function, in any process, chooses it before this process has ended.
 */
export async function freePort({ first, last }: PortRange = USUAL): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(first, last);
    if (claim(port) && (await portIsFree(port))) return port;
  }
  throw new Error(`no free port between ${first} and ${last}`);
}

/** So many free ports, no two the same. */
export async function freePorts(count: number, range?: PortRange): Promise<number[]> {
  const chosen: number[] = [];
  while (chosen.length < count) chosen.push(await freePort(range));
  return chosen;
}

/** Writes the claim; false when a process has claimed the port before, and clears the claim if that one has ended. */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  mkdirSync(CLAIMS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!isAlive(claimant(file))) rmSync(file, { force: true });
    return false;
  }
  if (claimed.size === 0) process.once('exit', dropClaims);
  claimed.add(file);
  return true;
}

function dropClaims(): void {
  for (const file of claimed) rmSync(file, { force: true });
}

/** Id of the process that wrote the claim; this process's own while the file is being written or was just removed. */
function claimant(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || process.pid;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return process.pid;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True when this port of loopback can be listened on. */
export function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/**
 * Connects, sends `say`, and answers the first bytes that come back.
 *
 * @throws Error when nothing listens or nothing is answered in `timeoutMs`
 */
export function askPort(port: number, say: string, timeoutMs = 1_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(new Error(`no answer from port ${port} in ${timeoutMs} ms`)),
    );
    socket.once('connect', () => socket.write(say));
    socket.once('data', (data) => {
      resolve(data.toString('utf8'));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`port ${port} closed the connection`)));
  });
}
