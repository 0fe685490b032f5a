import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
import { clientErrorHandler } from '@karaar/platform/http-kit';
import { Holds } from '@karaar/platform/shedding';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.ts';

/**
 * Bounds how many connections one address may have open, whatever it says on them: those beyond are closed at once.
 * A trusted proxy, which carries everybody, is not counted.
 */
export function boundConnections(app: FastifyInstance, config: GatewayConfig): void {
  const isTrusted = compile(config.TRUSTED_PROXIES);
  const held = new Holds(config.CONNECTIONS_PER_ADDRESS);
  app.server.on('connection', (socket: Socket) => {
    const address = normalizeIP(socket.remoteAddress ?? '');
    if (isTrusted(address, 0)) return;
    const release = held.take(address);
    if (release === undefined) socket.destroy();
    else socket.once('close', release);
  });
}

/** The answer to the latest request of each connection, and those that are not over, in the order of their requests. */
const latest = new WeakMap<Socket, ServerResponse>();
const open = new WeakMap<Socket, Set<ServerResponse>>();

/** Has the gateway know, when bytes cannot be understood, what was asked before them. */
export function followAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(res));
    latest.set(socket, res);
    res.once('close', () => answers.delete(res));
  });
}

/**
 * Answers bytes that cannot be understood, where a refusal can only be the answer to them: they are a request of their
 * own, or the body of one that has no answer yet. Behind any other answer the refusal would be taken for the answer to
 * something else: then the connection is closed without a word, once the whole requests before those bytes have theirs.
 */
export function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
  const last = latest.get(socket);
  const answers = [...(open.get(socket) ?? [])];
  const isRequest = last === undefined || (last.req.complete && answers.length === 0);
  const isBody = answers.length === 1 && answers[0] === last && !last?.req.complete && !last?.headersSent;
  const lastWhole = answers.findLast(({ req }) => req.complete);
  if (isRequest || isBody) clientErrorHandler(error, socket);
  else if (lastWhole === undefined) socket.destroySoon();
  else lastWhole.once('close', () => socket.destroySoon());
}
