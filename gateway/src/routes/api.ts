import { SERVICE_NAMES } from '@karaar/contracts/services';
import { notFound } from '@karaar/base/errors';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config.ts';
import { sendJson } from '../http/errors.ts';
import { noDots } from '../http/framing.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { securityHeaders, setHeaders } from '../http/security.ts';
import type { Sockets } from '../proxy/sockets.ts';
import type { Upstreams } from '../proxy/upstream.ts';
import { registerDocs } from './docs.ts';
import { healthCheck } from './health.ts';
import type { Admission } from './admission.ts';
import type { Entry } from './table.ts';

export type Dependencies = {
  config: GatewayConfig;
  table: readonly Entry[];
  admission: Admission;
  upstreams: Upstreams;
  sockets: Sockets;
};

/** Register it with the prefix `/api`. */
export async function api(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { config, table, admission, upstreams } = dependencies;
  const refuseOthers = refuseOtherMethods(app);
  app.addHook('onRequest', setHeaders(securityHeaders(config).api));
  app.addHook('onRequest', noDots);
  const health = healthCheck(SERVICE_NAMES.map((name) => upstreams[name]));
  app.get('/health', async (_req, reply) => {
    const state = await health();
    sendJson(reply, state.status === 'ok' ? 200 : 503, state);
    return reply;
  });
  registerDocs(app);
  for (const { method, path, service, route } of table) {
    const way = admission.to({ route, upstream: upstreams[service] });
    app.route({ method, url: path, config: { route }, ...way });
  }
  for (const url of ['/', '/*'])
    app.all(url, () => {
      throw notFound('not_found', 'There is no such call.');
    });
  refuseOthers();
}
