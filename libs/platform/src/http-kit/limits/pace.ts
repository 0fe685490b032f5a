/** Bounds how slowly the body of a request may arrive. */
import type { IncomingMessage, Server } from 'node:http';

export type Pace = {
  /** Milliseconds, in each of which enough bytes have to arrive. */
  windowMs: number;
  /** Bytes per second, on the mean of a window. */
  minBytesPerS: number;
};

/** Is there a body, as Node's parser sees it? */
export function bodyFollows({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0;
}

/**
 * Refuses bodies that make too little progress, with the server's answer to a request timeout. A total time would cut
 * off large files on slow networks, which flow steadily. Bytes that wait for a slow reader are not held against the sender.
 */
export function keepPace(server: Server, { windowMs, minBytesPerS }: Pace): void {
  const least = (minBytesPerS * windowMs) / 1_000;
  server.on('request', (req: IncomingMessage) => {
    if (!bodyFollows(req)) return;
    const { socket } = req;
    let before = socket.bytesRead;
    let wasUnread = false;
    const judge = (): void => {
      if (req.complete || req.destroyed) {
        clearInterval(timer);
        return;
      }
      const arrived = socket.bytesRead - before;
      const isUnread = req.readableLength > 0;
      if (arrived < least && !isUnread && !wasUnread) {
        clearInterval(timer);
        const error = new Error('The body of a request arrived too slowly');
        server.emit('clientError', Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      }
      before = socket.bytesRead;
      wasUnread = isUnread;
    };
    // Data that arrived while this process did not run is processed first.
    const timer = setInterval(() => setImmediate(judge), windowMs).unref();
    req.once('close', () => clearInterval(timer));
  });
}
