/** A service that writes down all that a gateway sends it, as bytes and as Node's parser understands them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { requestsIn } from './strict-requests.ts';

export type Recorded = { method: string; url: string; headers: IncomingMessage['headers'] };

/** What the recorder answers: all by which a caller knows its own request. */
export type Echo = { method: string; url: string; authorization: string; body: string };

export type Recorder = {
  url: string;
  /** What came since the last time, and what of it no two parsers would agree about. Asked while nothing is under way. */
  take(): { requests: Recorded[]; faults: string[] };
  stop(): Promise<void>;
};

const KEYS_PATH = '/.well-known/jwks.json';

/** @param jwksUrl whose keys it shows as its own, as the auth service does */
export async function startRecorder(jwksUrl: string): Promise<Recorder> {
  let requests: Recorded[] = [];
  /** Of each open connection: bytes that are not accounted for, and requests that Node saw in them. */
  const open = new Map<Socket, { bytes: Buffer[]; seen: number }>();
  const closedFaults: string[] = [];

  const server = createServer((req, res) => {
    const connection = open.get(req.socket);
    if (connection !== undefined) connection.seen += 1;
    void answer(req, res).catch(() => res.destroy());
  });
  server.keepAliveTimeout = 120_000;
  server.on('connection', (socket) => {
    const connection = { bytes: [] as Buffer[], seen: 0 };
    open.set(socket, connection);
    socket.on('data', (chunk) => void connection.bytes.push(chunk));
    socket.on('close', () => {
      open.delete(socket);
      closedFaults.push(...requestsIn(Buffer.concat(connection.bytes)).faults);
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    if (url === KEYS_PATH) {
      res.end(await (await fetch(jwksUrl)).text());
      return;
    }
    if (url !== '/readyz' && url !== '/healthz') requests.push({ method, url, headers });
    const isEarly = url.includes('early=1');
    const body = isEarly ? '' : await text(req.setEncoding('latin1'));
    const echo: Echo = { method, url, authorization: headers.authorization ?? '', body };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(echo));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const faults = closedFaults.splice(0);
      for (const connection of open.values()) {
        const read = requestsIn(Buffer.concat(connection.bytes));
        faults.push(...read.faults);
        if (read.rest > 0) faults.push(`${read.rest} bytes behind the last whole request`);
        if (read.count !== connection.seen)
          faults.push(`${read.count} requests by the letter, ${connection.seen} by Node's parser`);
        connection.bytes.length = 0;
        connection.seen = 0;
      }
      const taken = requests;
      requests = [];
      return { requests: taken, faults };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
