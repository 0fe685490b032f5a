/** What is not a contract's but a service's all the same: the chat's sockets, and the sandboxes of development. */
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.ts';
import { isUpgrade, noDots } from '../http/framing.ts';
import type { Sockets } from '../proxy/sockets.ts';
import type { Upstreams } from '../proxy/upstream.ts';
import type { Passage } from './passage.ts';
import { UNDESCRIBED, type Route } from './table.ts';

export type UnroutedOptions = {
  passage: Passage;
  config: GatewayConfig;
  sockets: Sockets;
  upstreams: Upstreams;
};

export async function unrouted(
  app: FastifyInstance,
  { passage, config, sockets, upstreams }: UnroutedOptions,
): Promise<void> {
  const { messaging, sandbox } = upstreams;
  const { DEADLINE_MS: deadlineMs, JSON_MAX_BYTES: maxBytes } = config;
  // Of sockets by polling, which wait for news; nobody who can have a real one asks for that.
  const route: Route = { ...UNDESCRIBED, key: 'other', deadlineMs, maxBytes };
  app.addHook('onRequest', noDots);

  const polling = passage.to({ route, upstream: messaging });
  for (const url of ['/socket.io', '/socket.io/*'])
    app.all(url, {
      onRequest(req, reply, done) {
        if (isUpgrade(req.raw)) done();
        else polling.onRequest.call(this, req, reply, done);
      },
      handler(req, reply) {
        if (isUpgrade(req.raw)) sockets.open(req, reply, messaging);
        else polling.handler.call(this, req, reply);
      },
    });

  if (sandbox !== undefined)
    for (const url of ['/dev/*', '/sandbox/*']) app.all(url, passage.to({ route, upstream: sandbox }));
}
