import compress from '@fastify/compress';
import { allRoutes } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/platform/auth';
import { doorOptions, followAnswers, registerHealth } from '@karaar/platform/http-kit';
import type { Logger } from '@karaar/platform/logging';
import { LoopGuard, watchLoop } from '@karaar/platform/shedding';
import type { SharedCounts } from '@karaar/platform/window-counts';
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
import { API, Passage } from './routes/passage.ts';
import { routeTable } from './routes/table.ts';
import { unrouted } from './routes/unrouted.ts';
import { Shedder } from './shedding/shedder.ts';
import { web } from './web/web.ts';

export type GatewayParts = {
  config: GatewayConfig;
  logger: Logger;
  verifier: TokenVerifier;
  counts: SharedCounts;
  /** The clock of the rate limits; the system's when not given. */
  now?: (() => number) | undefined;
};

/** How long a browser may take for the head of a request; bodies are bounded by their own progress. */
const HEAD_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 600_000;
/** Above the load balancers' 60 s, so that it is never us who close a connection they are about to use. */
const KEEP_ALIVE_MS = 65_000;
/** Beyond the longest deadline of a route: whoever is silent for longer is gone or does not read. */
const SILENCE_AFTER_MS = 30_000;

/**
 * Builds the gateway: what it needs comes in, nothing is read from the environment here. As an app of a service it is
 * listened on, drained and closed by its process (`runService`).
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
  // Whether this process lives, and whether it wants requests: neither limited nor asked of anybody.
  registerHealth(app, {}, () => draining);
  void app.register(async (open) => {
    const limits = await registerLimits(open, { config, counts, now });
    const passage = new Passage({ config, limits, shedder, verifier });
    const ways = { config, table, passage, upstreams, sockets };
    open.addHook('onRequest', limits.all);
    await open.register(api, { prefix: API, ...ways });
    await open.register(unrouted, ways);
    await open.register(web, { config });
  });

  app.decorate('startDraining', () => {
    if (draining) return;
    draining = true;
    // A part of the time before the end is left for those who had to try twice.
    sockets.startLeaving(Math.floor(config.DRAIN_WAIT_MS * 0.7));
  });
  app.addHook('preClose', (done) => {
    draining = true;
    shedder.stop();
    sockets.end();
    // A connection whose answer was under way becomes idle later.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    app.server.once('close', () => clearInterval(sweep));
    done();
  });
  app.addHook('onClose', async () => {
    await Promise.all(all.map((one) => one.close()));
  });
  return app;
}

/** Fastify, with its own readers of bodies and its log of requests away. */
function createApp(config: GatewayConfig, logger: Logger, silenceMs: number): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...doorOptions(logger),
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (log) => log,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    frameworkErrors: answerError,
    connectionTimeout: silenceMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEAD_TIMEOUT_MS,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      insecureHTTPParser: false,
      // Refused by us, with all else that is ambiguous.
      requireHostHeader: false,
    },
  });
  app.decorateRequest('userId', '');
  // Bodies are not read here: they go on as they are.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, _body, done) => done(null));
  // An upload that is refused is told so before its body is on the way.
  for (const event of ['checkContinue', 'checkExpectation'])
    app.server.on(event, (req, res) => app.server.emit('request', req, res));
  return app;
}
