/** Decides how the server answers bytes that are not an HTTP request, and when it stays silent. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenClosed } from '../observed/when-closed.ts';

/** The latest response of each connection, and the unfinished ones in the order of their requests. */
const latest = new WeakMap<Socket, ServerResponse>();
const open = new WeakMap<Socket, Set<ServerResponse>>();

/** Tracks the requests of each connection, so that `refuseBytes` knows what came before unreadable bytes. */
export function followAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(res));
    latest.set(socket, res);
    whenClosed(res, () => answers.delete(res));
  });
}

/**
 * Answers unreadable bytes if the error can only be the response to them: as the first request of a
 * connection, or as the body of a request without a response. Otherwise the client would take the error for
 * another response, so the connection is closed silently after the running requests have been answered.
 */
export function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  const last = latest.get(socket);
  const answers = [...(open.get(socket) ?? [])];
  const isRequest = last === undefined || (last.req.complete && answers.length === 0);
  const isBody = answers.length === 1 && answers[0] === last && !last?.req.complete && !last?.headersSent;
  const lastWhole = answers.findLast(({ req }) => req.complete);
  if (isRequest || isBody) answer(error, socket);
  else if (lastWhole === undefined) socket.destroySoon();
  else lastWhole.once('close', () => socket.destroySoon());
}

const CLIENT_ERRORS: Record<string, [number, string, string, string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers_too_large',
    'The request headers are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'request_timeout',
    'The request took too long to arrive.',
  ],
};

/** Such bytes have a socket but no request object. */
function answer(err: Error & { code?: string }, socket: Socket): void {
  if (err.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, code, detail] = CLIENT_ERRORS[err.code ?? ''] ?? [
    400,
    'Bad Request',
    'malformed_request',
    'The request could not be understood.',
  ];
  const body = JSON.stringify({ detail, code });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
