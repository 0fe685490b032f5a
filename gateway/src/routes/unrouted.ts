import type { FastifyInstance } from 'fastify';
import { isUpgrade, noDots } from '../http/framing.ts';
import type { Dependencies } from './api.ts';
import { UNDESCRIBED, type Route } from './table.ts';

/**
 * Fastify plugin for addresses without a contract: socket.io at the chat service, and the sandbox if it
 * exists.
 */
export async function unrouted(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { config, admission, upstreams, sockets } = dependencies;
  const { messaging, sandbox } = upstreams;
  const { DEADLINE_MS: deadlineMs, JSON_MAX_BYTES: maxBytes } = config;
  // socket.io's long polling, which holds requests open; clients use it only if they cannot open a WebSocket.
  const route: Route = { ...UNDESCRIBED, key: 'other', deadlineMs, maxBytes };
  app.addHook('onRequest', noDots);

  const polling = admission.to({ route, upstream: messaging });
  for (const url of ['/socket.io', '/socket.io/*'])
    app.all(url, {
      ...polling,
      handler(req, reply) {
        if (isUpgrade(req.raw)) return sockets.open(req, reply, messaging);
        return polling.handler.call(this, req, reply);
      },
    });

  if (sandbox !== undefined)
    for (const url of ['/dev/*', '/sandbox/*']) app.all(url, admission.to({ route, upstream: sandbox }));
}
