import { randomInt } from 'node:crypto';
import { createServer, connect } from 'node:net';

/**
 * Where free ports are looked for: below the range from which systems take the ports of outgoing connections
 * (32768 on Linux, 49152 by IANA). A port from there may be lent to a connection before its server listens.
 */
const FIRST = 15_000;
const LAST = 32_000;
const ATTEMPTS = 200;

/** A TCP port on loopback that nobody listens on at this moment, and that no outgoing connection will be given. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST, LAST);
    if (await portIsFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST}`);
}

/** So many free ports, no two the same: those that are only chosen yet are not taken, and may be chosen again. */
export async function freePorts(count: number): Promise<number[]> {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(await freePort());
  return [...chosen];
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
