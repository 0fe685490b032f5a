/** A test server with clamd's protocol (INSTREAM) over TCP or a Unix socket; it knows one signature. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The test file of the anti-virus industry (eicar.org), in two parts so that no scanner flags this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

export type TestClamd = {
  /** In the form of `CLAMD_ADDRESS`. */
  address: string;
  scanned: Buffer[];
  stop: () => Promise<void>;
};

export type ClamdManner = {
  /** Maximum bytes of a stream (clamd's StreamMaxLength). */
  maxBytes?: number;
  /** Sent instead of a verdict; null for no answer. */
  answer?: string | null;
};

/** Starts a server on a free loopback port, or on a Unix socket. */
export async function startClamd(manner: ClamdManner = {}, socketFile?: string): Promise<TestClamd> {
  const scanned: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Some tests disconnect early.
    socket.on('error', () => socket.destroy());
    serve(socket, manner, scanned);
  });
  if (socketFile === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketFile);
  await once(server, 'listening');
  return {
    address:
      socketFile === undefined
        ? `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
        : `unix:${socketFile}`,
    scanned,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(socket: Socket, manner: ClamdManner, scanned: Buffer[]): void {
  let held = Buffer.alloc(0);
  const parts: Buffer[] = [];
  let begun = false;
  let size = 0;
  socket.on('data', (part: Buffer) => {
    held = Buffer.concat([held, part]);
    if (!begun) {
      const end = held.indexOf(0);
      if (end < 0) return;
      if (held.subarray(0, end).toString() !== 'zINSTREAM') {
        socket.end('UNKNOWN COMMAND\0');
        return;
      }
      held = held.subarray(end + 1);
      begun = true;
    }
    while (held.length >= 4) {
      const length = held.readUInt32BE(0);
      if (length === 0) {
        const file = Buffer.concat(parts);
        scanned.push(file);
        answer(socket, manner, file.includes(EICAR) ? 'stream: Eicar-Test FOUND' : 'stream: OK');
        return;
      }
      if (held.length < 4 + length) return;
      parts.push(held.subarray(4, 4 + length));
      held = held.subarray(4 + length);
      size += length;
      if (size > (manner.maxBytes ?? Number.POSITIVE_INFINITY)) {
        socket.end('INSTREAM size limit exceeded. ERROR\0');
        return;
      }
    }
  });
}

function answer(socket: Socket, { answer: reply }: ClamdManner, verdict: string): void {
  if (reply === null) return;
  socket.end(`${reply ?? verdict}\0`);
}
