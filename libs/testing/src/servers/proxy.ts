import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a client says for which it is to get no answer. */
export type Lost = {
  /** The last thing that it says, such as `commit\0`. */
  saying: string;
  /** What it said before, on the same connection. */
  after: string;
};

/** Stands between a client and a server, and can lose what the server answers. */
export interface TestProxy {
  port: number;
  /** From now on what the server says does not arrive; what the client says still does. */
  loseReplies(): void;
  /**
   * Once: the server gets what the client says and does it, and the client's connection ends instead of an answer. Other
   * connections go on. @returns how to wait until that has happened
   */
  loseAnswerTo(lost: Lost): { happened: Promise<void> };
  /** Cuts the connections that exist and lets new ones through whole. */
  reset(): void;
  close(): Promise<void>;
}

/** More than any statement that a test is about. */
const REMEMBERED = 1_000_000;

/** A TCP proxy on loopback to a port of loopback. */
export async function startProxy(target: number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  let losing = false;
  let armed: { lost: Lost; happen: () => void } | undefined;
  const server = createServer((client) => {
    const upstream = connect({ port: target, host: '127.0.0.1' });
    let said = '';
    let doomed: (() => void) | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (armed) {
        said = (said + data.toString('latin1')).slice(-REMEMBERED);
        const { saying, after } = armed.lost;
        const since = said.indexOf(after);
        if (since >= 0 && said.includes(saying, since + after.length)) {
          doomed = armed.happen;
          armed = undefined;
        }
      }
      if (!upstream.write(data)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    client.on('end', () => upstream.end());
    upstream.on('data', (data) => {
      if (doomed) {
        client.destroy();
        doomed();
      } else if (!losing) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => [...sockets].forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    loseReplies: () => {
      losing = true;
    },
    loseAnswerTo: (lost) => ({
      happened: new Promise<void>((happen) => {
        armed = { lost, happen };
      }),
    }),
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

/** A proxy before a PostgreSQL. @returns it, and the address by which it is reached */
export async function databaseProxy(databaseUrl: string): Promise<TestProxy & { url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await startProxy(Number(url.port));
  [url.hostname, url.port] = ['127.0.0.1', String(proxy.port)];
  return { ...proxy, url: url.toString() };
}

/** The answer to the COMMIT of a transaction in which a table was written to. */
export const commitOf = (table: string): Lost => ({ saying: 'commit\0', after: `insert into "${table}"` });
