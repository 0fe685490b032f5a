/** How the gateway refuses a request: in the wire form of errors, also while the client is still sending. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { AppError, notFound, toWire } from '@karaar/platform/errors';
import { fromFramework } from '@karaar/platform/http-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ambiguityOf, isUpgrade } from './framing.ts';

/** Connections that sent something ambiguous: the rest of what they send is ignored. */
const refused = new WeakSet<Socket>();

/** How long the rest of a refused upload is read and dropped, so that the browser shows the answer. */
const LINGER_MS = 5_000;

/**
 * Reads away what the browser still sends after its answer. A connection that is closed with unread data is reset, and the
 * browser would show a network error in place of the answer. Bounded in time: an upload that goes on for longer is cut.
 */
export function drainRequest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  finished(req, () => clearTimeout(timer));
  req.resume();
}

/**
 * How long a 429 answer waits for the rest of its request. A fast client gets it right after its body; a slow client
 * that retries as soon as it is refused is slowed down. The time differs from client to client, because clients
 * refused together would retry together.
 */
const refusalAfterMs = (): number => 5_000 + Math.random() * 10_000;

/** Answers with JSON that no cache keeps. A request whose body is still on its way then is the last of its connection. */
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

/** Answers after the request was read and dropped, or while it arrives: then it ends with the request. */
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

/** The connection is cut if the answer has begun: the browser must not take the part that it has for the whole. */
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
 * All errors in one shape. Ambiguous requests are refused before anything else, and their connection is closed.
 * @param isDraining whether connections end with their current answer
 */
export function registerRefusals(app: FastifyInstance, isDraining: () => boolean): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => {
    throw notFound('not_found', 'There is nothing at this address.');
  });
  app.addHook('onRequest', (req, reply, done) => {
    if (refused.has(req.raw.socket)) {
      // It ends with the refusal, which may not have been written yet.
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
