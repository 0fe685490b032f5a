import { randomInt } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Identifies a request by its last text, such as `commit\0`, and an earlier text on the same connection. */
export type Lost = { saying: string; after: string };

/**
 * How one connection fails. `answer`: the server receives and executes a request, and the client's connection
 * ends instead of a response; without `to` it is the next request. `bytes`: it is reset after this many bytes
 * in one direction. `silence`: nothing arrives any more in either direction; after the client has given up, the
 * server learns of it some seconds later, as by TCP keep-alive.
 */
export type Fault =
  { kind: 'answer'; to?: Lost } | { kind: 'bytes'; of: Direction; bytes: number } | { kind: 'silence' };
export type Direction = 'requests' | 'answers';

/** Forwards connections to a server, and makes them fail. */
export interface TestProxy {
  port: number;
  /** From now on responses are dropped; requests still arrive. */
  loseReplies(): void;
  /**
   * Fails the next connection on which the fault can happen; others continue.
   *
   * @returns `happened`, which resolves when it has happened, and `cancel`, which ends a connection that was
   * selected and has gone quiet
   */
  fail(fault: Fault): { happened: Promise<void>; cancel(): void };
  /** The number of silent connections that their clients have not given up. */
  silent(): number;
  /** Delays all data in transit by this time. */
  delay(ms: number): void;
  /** Resets existing connections; new ones work normally. */
  reset(): void;
  close(): Promise<void>;
}

type Armed = { fault: Fault; happen: () => void; line?: Line };
type Line = {
  client: Socket;
  upstream: Socket;
  said: string;
  armed?: Armed;
  passed: number;
  isSilent: boolean;
};

/** Longer than any statement in a test. */
const REMEMBERED = 1_000_000;
/** The time after which the server learns that the client of a silent connection has given up. */
const SERVER_LEARNS_MS = [500, 5_000] as const;

/** Starts a TCP proxy on loopback to a loopback port. */
export async function startProxy(target: number): Promise<TestProxy> {
  const lines = new Set<Line>();
  const waiting: Armed[] = [];
  let losing = false;

  const end = (line: Line): void => {
    line.isSilent = false;
    if (line.armed?.fault.kind === 'bytes') line.client.resetAndDestroy();
    else line.client.destroy();
    line.upstream.destroy();
    line.armed?.happen();
  };
  const begins = ({ fault }: Armed, { said }: Line, direction: Direction): boolean => {
    if (fault.kind === 'bytes') return true;
    if (direction === 'answers') return false;
    if (fault.kind === 'silence' || fault.to === undefined) return true;
    const since = said.indexOf(fault.to.after);
    return since >= 0 && said.includes(fault.to.saying, since + fault.to.after.length);
  };
  const choose = (line: Line, direction: Direction): void => {
    const armed = waiting.find((each) => begins(each, line, direction));
    if (armed === undefined) return;
    waiting.splice(waiting.indexOf(armed), 1);
    armed.line = line;
    line.armed = armed;
  };
  /** Returns the part of a chunk to forward, and whether the connection ends after it. */
  const pass = (line: Line, direction: Direction, chunk: Buffer): [chunk?: Buffer, ends?: boolean] => {
    const fault = line.armed?.fault;
    if (fault?.kind === 'silence') {
      line.isSilent = true;
      line.armed?.happen();
    }
    if (line.isSilent) return [];
    if (fault?.kind === 'answer' && direction === 'answers') return [undefined, true];
    if (fault?.kind === 'bytes' && fault.of === direction) {
      const left = fault.bytes - line.passed;
      line.passed += chunk.length;
      if (chunk.length >= left) return [chunk.subarray(0, Math.max(0, left)), true];
    }
    return losing && direction === 'answers' ? [] : [chunk];
  };
  const relay = (line: Line, direction: Direction, from: Socket, to: Socket): void => {
    from.on('data', (chunk: Buffer) => {
      if (direction === 'requests' && waiting.length > 0)
        line.said = (line.said + chunk.toString('latin1')).slice(-REMEMBERED);
      if (line.armed === undefined) choose(line, direction);
      const [rest, ends] = pass(line, direction, chunk);
      if (ends) {
        line.isSilent = true; // until the last bytes have arrived
        if (rest?.length) to.write(rest, () => end(line));
        else end(line);
      } else if (rest && !to.write(rest)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => line.isSilent || to.end());
    from.on('error', () => from.destroy());
    from.on('close', () => {
      if (!line.isSilent) to.destroy();
      else if (from === line.client) setTimeout(() => to.destroy(), randomInt(...SERVER_LEARNS_MS)).unref();
      if (to.destroyed) lines.delete(line);
    });
  };

  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    const line: Line = { client, upstream, said: '', passed: 0, isSilent: false };
    lines.add(line);
    relay(line, 'requests', client, upstream);
    relay(line, 'answers', upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const { client, upstream } of lines) {
      client.destroy();
      upstream.destroy();
    }
    lines.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    loseReplies: () => {
      losing = true;
    },
    fail: (fault) => {
      const armed: Armed = { fault, happen: () => undefined };
      const happened = new Promise<void>((resolve) => (armed.happen = resolve));
      waiting.push(armed);
      const cancel = () => {
        if (!armed.line) waiting.splice(waiting.indexOf(armed), 1);
        else if (lines.has(armed.line)) end(armed.line);
      };
      return { happened, cancel };
    },
    silent: () => [...lines].filter(({ isSilent, client }) => isSilent && !client.destroyed).length,
    delay: (ms) => {
      const sockets = [...lines].flatMap(({ client, upstream }) => [client, upstream]);
      for (const socket of sockets) socket.pause();
      setTimeout(() => sockets.forEach((socket) => socket.resume()), ms);
    },
    reset: () => {
      losing = false;
      cut();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** Starts a proxy for a PostgreSQL. @returns it, with its URL */
export async function databaseProxy(databaseUrl: string): Promise<TestProxy & { url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await startProxy(Number(url.port));
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  return { ...proxy, url: url.toString() };
}

/** Identifies the COMMIT of a transaction that inserted into a table. */
export const commitOf = (table: string): Lost => ({ saying: 'commit\0', after: `insert into "${table}"` });
