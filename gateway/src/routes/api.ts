/** Everything below `/api`: the contracts' routes, the state of the services, the documentation. */
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { notFound } from '@karaar/platform/errors';
import type { FastifyInstance } from 'fastify';
import { sendJson } from '../http/errors.ts';
import { noDots } from '../http/framing.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { setHeaders, type SecurityHeaders } from '../http/security.ts';
import type { Upstreams } from '../proxy/upstream.ts';
import { registerDocs } from './docs.ts';
import { healthCheck } from './health.ts';
import type { Passage } from './passage.ts';
import type { Entry } from './table.ts';

export type ApiOptions = {
  headers: SecurityHeaders;
  passage: Passage;
  table: readonly Entry[];
  upstreams: Upstreams;
};

/** To be registered with the prefix `/api`. */
export async function api(
  app: FastifyInstance,
  { headers, passage, table, upstreams }: ApiOptions,
): Promise<void> {
  const refuseOthers = refuseOtherMethods(app);
  app.addHook('onRequest', setHeaders(headers.api));
  app.addHook('onRequest', noDots);
  const health = healthCheck(SERVICE_NAMES.map((name) => upstreams[name]));
  app.get('/health', async (_req, reply) => {
    const state = await health();
    sendJson(reply, state.status === 'ok' ? 200 : 503, state);
    return reply;
  });
  registerDocs(app);
  for (const { method, path, service, route } of table) {
    const way = passage.to({ route, upstream: upstreams[service] });
    app.route({ method, url: path, config: { route }, ...way });
  }
  for (const url of ['/', '/*'])
    app.all(url, () => {
      throw notFound('not_found', 'There is no such call.');
    });
  refuseOthers();
}
