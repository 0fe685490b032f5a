/** How the server answers bytes that are not an HTTP request, and when it does not answer. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The answer to the latest request of each connection, and those that are not over, in the order of their requests. */
const latest = new WeakMap<Socket, ServerResponse>();
const open = new WeakMap<Socket, Set<ServerResponse>>();

/** Has a server know, when bytes cannot be understood, what was asked before them. */
export function followAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(res));
    latest.set(socket, res);
    res.once('close', () => answers.delete(res));
  });
}

/**
 * Answers bytes that cannot be understood, where a refusal can only be the answer to them: they are a request of
 * their own, or the body of a request that has no answer yet. Behind any other answer the refusal would be taken for
 * the answer to something else: then the connection is closed without a word, once the whole requests before those
 * bytes have theirs.
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

/** There is no request object for such bytes, only the socket. */
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
