import type { IncomingMessage, Server } from 'node:http';

export type Pace = {
  /** Window in milliseconds; enough bytes must arrive in each. */
  windowMs: number;
  /** Bytes per second, averaged over a window. */
  minBytesPerS: number;
};

/** Returns true if Node's parser expects a body. */
export function bodyFollows({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > 0;
}

/**
 * Rejects bodies that make too little progress, with the server's response to a request timeout. A total time
 * limit would abort large files on slow networks. Bytes that wait for a slow reader are not counted against
 * the sender.
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
    // After a pause of this process, data that arrived meanwhile is processed first.
    const timer = setInterval(() => setImmediate(judge), windowMs).unref();
    req.once('close', () => clearInterval(timer));
  });
}
