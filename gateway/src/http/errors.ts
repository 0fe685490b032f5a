import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { AppError, notFound, toWire } from '@karaar/base/errors';
import { fromFramework } from '@karaar/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ambiguityOf, isUpgrade } from './framing.ts';

/** Connections that sent an ambiguous request; all further requests on them are ignored. */
const refused = new WeakSet<Socket>();

/**
 * Milliseconds for which the rest of a refused upload is read and dropped, so that the browser shows the
 * answer.
 */
const LINGER_MS = 5_000;

/**
 * Reads and drops the rest of a request. A connection closed with unread data is reset, and the browser would
 * show a network error instead of the answer. An upload that goes on for too long is cut.
 */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  finished(req, () => clearTimeout(timer));
  req.resume();
}

/**
 * Returns how long a 429 answer waits for the rest of its request. A fast client gets it right after its
 * body; a slow client that retries at once is slowed down. The time is random, so that clients refused
 * together do not retry together.
 */
const refusalAfterMs = (): number => 5_000 + Math.random() * 10_000;

/**
 * Answers with JSON that is not cached. If the request's body is still arriving, the connection closes after
 * the answer.
 */
export function sendJson(reply: FastifyReply, status: number, body: unknown): void {
  const { raw: req } = reply.request;
  const text = JSON.stringify(body);
  reply.code(status).headers({
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  if (req.complete || req.destroyed) void reply.send(text);
  else answerSender(reply, text);
}

/**
 * Sends the answer after the request has ended. If the request lasts longer than a delay, the answer begins
 * earlier, and the connection closes after it.
 */
function answerSender(reply: FastifyReply, text: string): void {
  const { raw: res, request } = reply;
  const { raw: req } = request;
  let begun = false;
  const begin = (): void => {
    begun = true;
    reply.header('connection', 'close').hijack();
    res.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    res.write(text);
    drainRequest(req);
  };
  // A client that sent `Expect: 100-continue` waits for this answer, so it is not delayed.
  const isLate = reply.statusCode === 429 && !refused.has(req.socket) && request.headers.expect === undefined;
  // Other answers begin once the data that came with the head has been read.
  const timer = setTimeout(begin, isLate ? refusalAfterMs() : 0);
  finished(req, () => {
    clearTimeout(timer);
    if (res.destroyed) return;
    if (begun) res.end();
    else void reply.send(text);
  });
  req.resume();
}

/**
 * Answers with the error. If the answer has already begun, the connection is cut, so that the browser does
 * not take a part for the whole.
 */
export function answerError(error: unknown, req: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent || reply.raw.destroyed) {
    reply.raw.destroy();
    reply.hijack();
    return;
  }
  const fault = fromFramework(error);
  if (!(fault instanceof AppError)) req.log.error({ err: error }, 'A request failed in the gateway');
  const { status, body, headers } = toWire(fault);
  sendJson(reply.headers(headers).header('x-request-id', req.id), status, body);
}

/**
 * Answers all errors in one form. Ambiguous requests are refused first, and their connection is closed.
 * @param isDraining true if connections close after their current answer
 */
export function registerRefusals(app: FastifyInstance, isDraining: () => boolean): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound('not_found', 'There is nothing at this address.');
  });
  app.addHook('onRequest', (req, reply, done) => {
    if (refused.has(req.raw.socket)) {
      // The connection closes after the refusal, which may not have been written yet.
      reply.hijack();
      return;
    }
    const ambiguity = ambiguityOf(req.raw);
    if (ambiguity !== null) refused.add(req.raw.socket);
    if (ambiguity !== null || isDraining()) reply.header('connection', 'close');
    const noSocket = isUpgrade(req.raw) && !req.url.startsWith('/socket.io/');
    done(ambiguity ?? (noSocket ? notFound('not_found', 'There is no such socket.') : undefined));
  });
}
