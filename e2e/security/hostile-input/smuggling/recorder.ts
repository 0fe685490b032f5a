/** A service that records the gateway's requests, both as bytes and as Node's parser reads them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Framing } from './attack.ts';
import { requestsIn } from './strict-requests.ts';

export type Recorded = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The recorder's answer: everything by which a caller recognises its request. */
export type Echo = { method: string; url: string; authorization: string; body: string };

export type Recorder = {
  url: string;
  /** Returns the requests since the last call, and the faults in their bytes. Only while no request is open. */
  take(): { requests: Recorded[]; faults: string[] };
  stop(): Promise<void>;
};

/** @param jwksUrl the keys that it serves as its own, as the auth service does */
export async function startRecorder(jwksUrl: string): Promise<Recorder> {
  let requests: Recorded[] = [];
  /** Unread bytes of each open connection, and the number of requests that Node found in them. */
  const open = new Map<Socket, { bytes: Buffer[]; seen: number }>();
  const closedFaults: string[] = [];

  const server = createServer((req, res) => {
    const connection = open.get(req.socket);
    if (connection !== undefined) connection.seen += 1;
    void answer(req, res).catch(() => res.destroy());
  });
  server.keepAliveTimeout = 120_000;
  server.on('connection', (socket) => {
    const bytes: Buffer[] = [];
    open.set(socket, { bytes, seen: 0 });
    socket.on('data', (chunk) => void bytes.push(chunk));
    socket.on('close', () => {
      open.delete(socket);
      closedFaults.push(...requestsIn(Buffer.concat(bytes)).faults);
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = req;
    if (url === '/.well-known/jwks.json') return void res.end(await (await fetch(jwksUrl)).text());
    if (url !== '/readyz' && url !== '/healthz') requests.push({ method, url, headers });
    const body = url.includes('early=1') ? '' : await text(req.setEncoding('latin1'));
    const echo: Echo = { method, url, authorization: headers.authorization ?? '', body };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(echo));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const faults = closedFaults.splice(0);
      for (const connection of open.values()) {
        const { count, rest, faults: own } = requestsIn(Buffer.concat(connection.bytes.splice(0)));
        faults.push(...own);
        if (rest > 0) faults.push(`${rest} bytes after the last complete request`);
        if (count !== connection.seen)
          faults.push(`${count} requests by the RFC, ${connection.seen} by Node's parser`);
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

/** Internal routes, which clients cannot reach. */
const INTERNAL = /^\/+(metrics|internal|healthz|readyz)(\/|$)/;

/**
 * Returns the faults in the requests of a framing and the ordinary ones after it.
 * @param ordinary marks of the ordinary requests
 */
export function uninvited(
  requests: readonly Recorded[],
  framing: Framing,
  id: string,
  ordinary: readonly string[],
): string[] {
  const counts = new Map<string, number>(ordinary.map((mark) => [mark, 0]));
  const faults: string[] = [];
  for (const { method, url = '', headers } of requests) {
    const mark = /[?&]mark=([ao]\d+z)/.exec(url)?.[1];
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    const hidden = headers['x-hidden'];
    // A service could resolve dots and backslashes in a path.
    const path = (url.split(/[?#]/)[0] ?? '').replaceAll('\\', '/');
    if (typeof hidden === 'string') faults.push(`the hidden request of ${hidden}: ${method} ${url}`);
    else if (INTERNAL.test(new URL(path, 'http://service').pathname)) faults.push(`${method} ${url}`);
    else if (mark === undefined) faults.push(`a request without a sender: ${method} ${url.slice(0, 80)}`);
    const sender = String(headers['x-forwarded-for']);
    if (!/^127\.0\.0\.\d+$/.test(sender)) faults.push(`the address ${sender} as the sender's`);
  }
  for (const [mark, count] of counts) {
    const isOrdinary = ordinary.includes(mark);
    // The gateway repeats a safe request whose connection was lost.
    const most = mark === id ? framing.answers : isOrdinary ? 2 : 0;
    if (count > most || (isOrdinary && count === 0)) faults.push(`${mark} ${count} times`);
  }
  return faults;
}
