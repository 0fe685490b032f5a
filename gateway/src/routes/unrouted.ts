/** What is not a contract's but a service's all the same: the chat's sockets, and the sandboxes of development. */
import type { FastifyInstance } from 'fastify';
import { isUpgrade, noDots } from '../http/framing.ts';
import type { Ways } from './api.ts';
import { UNDESCRIBED, type Route } from './table.ts';

export async function unrouted(
  app: FastifyInstance,
  { config, passage, upstreams, sockets }: Ways,
): Promise<void> {
  const { messaging, sandbox } = upstreams;
  const { DEADLINE_MS: deadlineMs, JSON_MAX_BYTES: maxBytes } = config;
  // Of sockets by polling, which wait for news; nobody who can have a real one asks for that.
  const route: Route = { ...UNDESCRIBED, key: 'other', deadlineMs, maxBytes };
  app.addHook('onRequest', noDots);

  const polling = passage.to({ route, upstream: messaging });
  for (const url of ['/socket.io', '/socket.io/*'])
    app.all(url, {
      ...polling,
      handler(req, reply) {
        if (isUpgrade(req.raw)) return sockets.open(req, reply, messaging);
        return polling.handler.call(this, req, reply);
      },
    });

  if (sandbox !== undefined)
    for (const url of ['/dev/*', '/sandbox/*']) app.all(url, passage.to({ route, upstream: sandbox }));
}
