import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { addressOf, plainAddress } from '@karaar/base/addresses';
import { InFlightLimit } from '../shedding/index.ts';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.ts';

/**
 * Limits the open connections of each address; connections beyond the limit are closed at once. Trusted
 * proxies are not counted, because all clients come through them.
 */
export function boundConnections(app: FastifyInstance, config: GatewayConfig): void {
  const isTrusted = compile(config.TRUSTED_PROXIES);
  const held = new InFlightLimit(config.CONNECTIONS_PER_ADDRESS);
  app.server.on('connection', (socket: Socket) => {
    const ip = plainAddress(socket.remoteAddress ?? '');
    // A socket without an address is already closed.
    if (ip === '' || isTrusted(ip, 0)) return;
    const release = held.take(addressOf(ip));
    if (release === undefined) socket.destroy();
    else socket.once('close', release);
  });
}
