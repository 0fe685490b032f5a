import compress from '@fastify/compress';
import { allRoutes } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/http/auth';
import { serverOptions, followAnswers, registerHealth } from '@karaar/http';
import type { Logger } from '@karaar/observability/logging';
import { LoopGuard, watchLoop } from './shedding/index.ts';
import type { SharedCounts } from './limits/window-counter.ts';
import fastify, { LogController, type FastifyInstance } from 'fastify';
import type { GatewayConfig } from './config.ts';
import { boundConnections } from './http/connections.ts';
import { answerError, registerRefusals } from './http/errors.ts';
import { registerLimits } from './limits/limits.ts';
import { showMetrics } from './metrics.ts';
import { PACKED_TYPES } from './proxy/answer.ts';
import { Sockets } from './proxy/sockets.ts';
import { createUpstreams } from './proxy/upstream.ts';
import { api } from './routes/api.ts';
import { API, Admission } from './routes/admission.ts';
import { routeTable } from './routes/table.ts';
import { unrouted } from './routes/unrouted.ts';
import { Shedder } from './routes/shedder.ts';
import { web } from './web/web.ts';

export type GatewayParts = {
  config: GatewayConfig;
  logger: Logger;
  verifier: TokenVerifier;
  counts: SharedCounts;
  now?: (() => number) | undefined;
};

const HEAD_TIMEOUT_MS = 15_000;
/**
 * Longer than the load balancers' 60 s, so that the gateway never closes a connection that they are about to
 * use.
 */
const KEEP_ALIVE_MS = 65_000;
/** Added to the longest deadline of a route: a client that is silent for longer has gone or does not read. */
const SILENCE_AFTER_MS = 30_000;

/**
 * Builds the gateway from its arguments, without reading the environment. `runService` listens, drains and
 * closes it, as for a service.
 */
export function createGateway({ config, logger, verifier, counts, now }: GatewayParts): FastifyInstance {
  const table = routeTable(allRoutes(), config);
  const silenceMs = Math.max(...table.map(({ route }) => route.deadlineMs)) + SILENCE_AFTER_MS;
  const upstreams = createUpstreams(config, silenceMs);
  const all = Object.values(upstreams);
  const shedder = new Shedder(all, new LoopGuard(config.QUEUE_TARGET_MS, watchLoop()));
  const sockets = new Sockets(config);
  let draining = false;

  const app = createApp(config, logger, silenceMs);
  boundConnections(app, config);
  followAnswers(app.server);
  showMetrics(app, sockets);
  registerRefusals(app, () => draining);
  sockets.register(app);
  void app.register(compress, { global: false, encodings: ['br', 'gzip'], customTypes: PACKED_TYPES });
  // The health route is not rate-limited and needs no service.
  registerHealth(app, {}, () => draining);
  void app.register(async (open) => {
    const limits = await registerLimits(open, { config, counts, now });
    const admission = new Admission({ config, limits, shedder, verifier });
    const dependencies = { config, table, admission, upstreams, sockets };
    open.addHook('onRequest', limits.all);
    await open.register(api, { prefix: API, ...dependencies });
    await open.register(unrouted, dependencies);
    await open.register(web, { config });
  });

  app.decorate('startDraining', () => {
    if (draining) return;
    draining = true;
    // Leaves 30 % of the wait to clients that have to retry.
    sockets.startLeaving(Math.floor(config.DRAIN_WAIT_MS * 0.7));
  });
  app.addHook('preClose', (done) => {
    draining = true;
    shedder.stop();
    sockets.end();
    // A connection that was still sending an answer becomes idle later.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    app.server.once('close', () => clearInterval(sweep));
    done();
  });
  app.addHook('onClose', async () => {
    await Promise.all(all.map((one) => one.close()));
  });
  return app;
}

function createApp(config: GatewayConfig, logger: Logger, silenceMs: number): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...serverOptions(logger),
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (log) => log,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    frameworkErrors: answerError,
    connectionTimeout: silenceMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A total time would cut off large files on slow networks. Instead bodies are limited by their progress
    // (`proxy/request-body.ts`).
    requestTimeout: 0,
    http: {
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      insecureHTTPParser: false,
      // The gateway itself refuses it, with all other ambiguous requests.
      requireHostHeader: false,
    },
  });
  app.decorateRequest('userId', '');
  // Bodies are not parsed here but forwarded unchanged.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, _body, done) => done(null));
  // A client that sends `Expect` learns of a refusal before it sends the body.
  for (const event of ['checkContinue', 'checkExpectation'])
    app.server.on(event, (req, res) => app.server.emit('request', req, res));
  return app;
}
