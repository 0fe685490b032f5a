import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { normalizeIP } from '@fastify/rate-limit';
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
