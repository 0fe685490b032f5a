import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Ports from `first` up to, but excluding, `last`. */
export interface PortRange {
  first: number;
  last: number;
}

/**
 * Below the ephemeral ports (from 32768 on Linux, 49152 by IANA): an outgoing connection could take a port
 * from there before its server listens.
 */
const USUAL: PortRange = { first: 15_000, last: 32_000 };
const ATTEMPTS = 200;

/**
 * One file per chosen port, with the id of the process that chose it. A port is chosen seconds before its
 * server listens, and is free while that server restarts: without the claim, another product that starts at
 * the same time could choose it too.
 */
const CLAIMS = join(tmpdir(), `karaar-ports-${userInfo().username}`);
const claimed = new Set<string>();

/**
 * Returns a free TCP port on loopback below the ephemeral ports. No other call of this function, in any
 * process, returns it until this process has ended.
 */
export async function freePort({ first, last }: PortRange = USUAL): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(first, last);
    if (claim(port) && (await portIsFree(port))) return port;
  }
  throw new Error(`no free port between ${first} and ${last}`);
}

/** Returns this many different free ports. */
export async function freePorts(count: number, range?: PortRange): Promise<number[]> {
  const chosen: number[] = [];
  while (chosen.length < count) chosen.push(await freePort(range));
  return chosen;
}

/**
 * Writes the claim; returns false if another process has claimed the port. Removes the claim if that process
 * has ended.
 */
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

/**
 * Returns the id of the process that wrote the claim; this process's own if the file is being written or was
 * just removed.
 */
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

/** Returns true if this loopback port is free. */
export function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/**
 * Connects, sends `say`, and returns the first bytes of the answer.
 *
 * @throws Error if nothing listens or answers within `timeoutMs`
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
