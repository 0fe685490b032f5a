import type { Server } from 'node:http';
import compress from '@fastify/compress';
import { allRoutes, SERVICE_NAMES, type ServiceName, type ServiceRoute } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/platform/auth';
import { registerHealth, requestIdOf } from '@karaar/platform/http-kit';
import type { Logger } from '@karaar/platform/logging';
import { LoopGuard, watchLoop } from '@karaar/platform/shedding';
import type { SharedCounts } from '@karaar/platform/window-counts';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { GatewayConfig } from './config.ts';
import { boundConnections, followAnswers, refuseBytes } from './http/connections.ts';
import { frameworkErrors, registerRefusals } from './http/errors.ts';
import { apiHeaders, type SecurityOptions } from './http/security.ts';
import { registerLimits } from './limits/limits.ts';
import { measureAnswers, showSockets } from './metrics.ts';
import { PACKED_TYPES } from './proxy/answer.ts';
import { Sockets } from './proxy/sockets.ts';
import { Upstream } from './proxy/upstream.ts';
import { api } from './routes/api.ts';
import { API, Passage } from './routes/passage.ts';
import { PATH_RULES, RouteTable } from './routes/table.ts';
import { unrouted } from './routes/unrouted.ts';
import { Shedder } from './shedding/shedder.ts';
import { web } from './web/web.ts';

export type GatewayParts = {
  config: GatewayConfig;
  logger: Logger;
  verifier: TokenVerifier;
  counts: SharedCounts;
  /** The contracts' routes when not given. */
  routes?: readonly ServiceRoute[];
  /** The clock of the rate limits; the system's when not given. */
  now?: (() => number) | undefined;
};

/** The gateway as a process runs it (`runService` drains and closes it). */
export type Gateway = {
  server: Server;
  log: Logger;
  /** @returns the port it listens on */
  listen(): Promise<number>;
  /** From here on it is not ready, and connections end with their current answer. */
  startDraining(): void;
  /** Stops listening; resolves when the last request is answered and the sockets are closed. */
  close(): Promise<void>;
};

/** How long a browser may take for the head of a request; bodies are bounded by their own progress. */
const HEAD_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 600_000;
/** Above the load balancers' 60 s, so that it is never us who close a connection they are about to use. */
const KEEP_ALIVE_MS = 65_000;
/** Beyond the longest deadline of a route: whoever is silent for longer is gone or does not read. */
const SILENCE_AFTER_MS = 30_000;

/** Builds the gateway: what it needs comes in, nothing is read from the environment here. */
export function createGateway(parts: GatewayParts): Gateway {
  const { config, logger } = parts;
  const security = securityOf(config);
  const publicProto = security.https ? 'https' : 'http';
  const table = new RouteTable(parts.routes ?? allRoutes(), {
    defaultDeadlineMs: config.DEADLINE_MS,
    jsonMaxBytes: config.JSON_MAX_BYTES,
    uploadMaxBytes: config.UPLOAD_MAX_BYTES,
  });
  const silenceMs = table.longestDeadlineMs + SILENCE_AFTER_MS;
  const { upstreams, sandbox, all } = upstreamsOf(config, silenceMs);
  const shedder = new Shedder(all, new LoopGuard(config.QUEUE_TARGET_MS, watchLoop()));
  const sockets = new Sockets(config, publicProto);
  let draining = false;

  const app: FastifyInstance = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (log) => log,
    genReqId: (req) => requestIdOf(req.headers['x-request-id']),
    trustProxy: config.TRUSTED_PROXIES.length > 0 && config.TRUSTED_PROXIES,
    routerOptions: PATH_RULES,
    frameworkErrors,
    clientErrorHandler: refuseBytes,
    return503OnClosing: false,
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

  boundConnections(app, config);
  followAnswers(app.server);
  measureAnswers(app);
  registerRefusals(app, () => draining);
  sockets.register(app);
  void app.register(compress, { global: false, encodings: ['br', 'gzip'], customTypes: PACKED_TYPES });
  // Whether this process lives, and whether it wants requests: neither limited nor asked of anybody.
  registerHealth(app, {}, () => draining);
  void app.register(async (open) => {
    const limits = await registerLimits(open, { config, counts: parts.counts, now: parts.now });
    const { verifier } = parts;
    const passage = new Passage({ config, limits, shedder, verifier, publicProto });
    open.addHook('onRequest', limits.all);
    await open.register(
      async (below) => {
        const headers = apiHeaders(security);
        below.addHook('onRequest', (_req, reply, done) => {
          reply.headers(headers);
          done();
        });
        await below.register(api, { passage, table, upstreams });
      },
      { prefix: API },
    );
    await open.register(unrouted, { passage, config, sockets, chat: upstreams.messaging, sandbox });
    await open.register(web, { config, security });
  });
  showSockets(() => sockets.size);
  app.addHook('preClose', (done) => {
    draining = true;
    shedder.stop();
    sockets.end();
    done();
  });

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    // A connection whose answer was under way becomes idle later.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    await app.close();
    clearInterval(sweep);
    await Promise.all(all.map((one) => one.close()));
  };
  return {
    server: app.server,
    log: logger,
    listen: async () => {
      const address = await app.listen({ port: config.PORT, host: config.HOST });
      return Number(new URL(address).port);
    },
    startDraining: () => {
      if (draining) return;
      draining = true;
      // A part of the time before the end is left for those who had to try twice.
      sockets.startLeaving(Math.floor(config.DRAIN_WAIT_MS * 0.7));
    },
    close: () => (closing ??= close()),
  };
}

function securityOf(config: GatewayConfig): SecurityOptions {
  const remotes = [config.REMOTE_USER_URL, config.REMOTE_ADMIN_URL].filter((url) => URL.canParse(url));
  return {
    https: config.PUBLIC_URL.startsWith('https://'),
    checkoutOrigins: config.CHECKOUT_ORIGINS,
    remoteOrigins: [...new Set(remotes.map((url) => new URL(url).origin))],
  };
}

function upstreamsOf(config: GatewayConfig, idleTimeoutMs: number) {
  const of = (name: ServiceName | 'sandbox', url: string): Upstream =>
    new Upstream({
      name,
      url,
      connections: config.UPSTREAM_CONNECTIONS,
      maxInFlight: config.UPSTREAM_MAX_IN_FLIGHT,
      queueTargetMs: config.QUEUE_TARGET_MS,
      idleTimeoutMs,
    });
  const upstreams: Record<ServiceName, Upstream> = {
    auth: of('auth', config.AUTH_URL),
    documents: of('documents', config.DOCUMENTS_URL),
    payments: of('payments', config.PAYMENTS_URL),
    wallet: of('wallet', config.WALLET_URL),
    messaging: of('messaging', config.MESSAGING_URL),
    vision: of('vision', config.VISION_URL),
    cms: of('cms', config.CMS_URL),
  };
  const sandbox = config.SANDBOX_URL === undefined ? undefined : of('sandbox', config.SANDBOX_URL);
  const all = SERVICE_NAMES.map((name) => upstreams[name]);
  return { upstreams, sandbox, all: sandbox === undefined ? all : [...all, sandbox] };
}
