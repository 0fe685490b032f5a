/** Everything below `/api`: the contracts' routes, the state of the services, the documentation. */
import type { ServiceName } from '@karaar/contracts/services';
import { notFound } from '@karaar/platform/errors';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { sendJson } from '../http/errors.ts';
import { holdsDots } from '../http/framing.ts';
import { wrongMethod } from '../http/refusals.ts';
import type { Upstream } from '../proxy/upstream.ts';
import { registerDocs } from './docs.ts';
import { HealthCheck } from './health.ts';
import { API, type Passage } from './passage.ts';
import type { RouteTable } from './table.ts';

export type ApiOptions = {
  passage: Passage;
  table: RouteTable;
  upstreams: Readonly<Record<ServiceName, Upstream>>;
};

const noDots: onRequestHookHandler = (req, _reply, done) => {
  done(holdsDots(req.raw.url ?? '') ? unknownPath() : undefined);
};

const pathOf = (req: FastifyRequest): string => (req.raw.url ?? '').slice(API.length).split('?')[0] ?? '';

/** To be registered with the prefix `/api`. */
export async function api(app: FastifyInstance, { passage, table, upstreams }: ApiOptions): Promise<void> {
  const health = new HealthCheck(Object.values(upstreams));
  app.get('/health', (_req, reply) => {
    health.read().then(
      (state) => sendJson(reply, state.status === 'ok' ? 200 : 503, state),
      (error: unknown) => reply.send(error),
    );
  });
  registerDocs(app);
  for (const { methods, path, route } of table.entries) {
    const { onRequest, handler } = passage.to({ route, upstream: upstreams[route.service] });
    app.route({ method: methods, url: path, config: { route }, onRequest: [noDots, onRequest], handler });
  }
  const known = new Set(['/health', '/docs', '/docs/style.css', '/docs/openapi.json']);
  const other = (req: FastifyRequest): never => {
    const path = pathOf(req);
    if (known.has(path)) throw wrongMethod(['GET', 'HEAD']);
    const allow = holdsDots(path) ? [] : table.methodsOf(path);
    throw allow.length > 0 ? wrongMethod(allow) : unknownPath();
  };
  app.all('/', other);
  app.all('/*', other);
}

const unknownPath = () => notFound('not_found', 'There is no such call.');
