import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts a server that gives each connection one answer and closes it at a second request, as a server does that stops
 * while the caller keeps the connection.
 * @param answer as JSON
 */
export async function startClosing(answer: string): Promise<{ url: string; close: () => void }> {
  const used = new WeakSet<Socket>();
  const server = createServer((req, res) => {
    if (used.has(req.socket)) {
      req.socket.destroy();
      return;
    }
    used.add(req.socket);
    req.resume().on('end', () => res.setHeader('content-type', 'application/json').end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

/** Waits until the caller keeps its connection: undici does so only from a later turn of the event loop. */
export const kept = (): Promise<void> => sleep(20);
