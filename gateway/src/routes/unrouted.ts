/** What is not a contract's but a service's all the same: the chat's sockets, and the sandboxes of development. */
import type { FastifyInstance } from 'fastify';
import { notFound } from '@karaar/platform/errors';
import type { GatewayConfig } from '../config.ts';
import { holdsDots, isUpgrade } from '../http/framing.ts';
import type { Sockets } from '../proxy/sockets.ts';
import type { Upstream } from '../proxy/upstream.ts';
import type { Passage } from './passage.ts';
import type { Route } from './table.ts';

export type UnroutedOptions = {
  passage: Passage;
  config: GatewayConfig;
  sockets: Sockets;
  chat: Upstream;
  sandbox: Upstream | undefined;
};

export async function unrouted(
  app: FastifyInstance,
  { passage, config, sockets, chat, sandbox }: UnroutedOptions,
): Promise<void> {
  const route: Omit<Route, 'service'> = {
    key: 'other',
    access: 'public',
    deadlineMs: config.DEADLINE_MS,
    maxBytes: config.JSON_MAX_BYTES,
    sensitive: false,
    heavy: false,
    // Sockets by polling, which wait for news; nobody who can have a real one asks for that.
    lane: 'long',
    urgency: 'patient',
    baseline: undefined,
  };
  const forward = (url: string, upstream: Upstream): void => {
    const way = passage.to({ route, upstream });
    app.all(url, {
      onRequest(req, reply, done) {
        if (holdsDots(req.raw.url ?? '')) done(notFound('not_found', 'There is no such address.'));
        else if (isUpgrade(req.raw)) done();
        else way.onRequest.call(this, req, reply, done);
      },
      handler(req, reply) {
        if (isUpgrade(req.raw)) sockets.open(req, reply, upstream);
        else way.handler.call(this, req, reply);
      },
    });
  };
  for (const url of ['/socket.io', '/socket.io/*']) forward(url, chat);
  if (sandbox !== undefined) for (const url of ['/dev/*', '/sandbox/*']) forward(url, sandbox);
}
