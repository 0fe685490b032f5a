import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { allRoutes, SERVICE_NAMES, type ServiceName, type ServiceRoute } from '@karaar/contracts/services';
import type { TokenVerifier } from '@karaar/platform/auth';
import { badRequest } from '@karaar/platform/errors';
import type { Logger } from '@karaar/platform/logging';
import type { GatewayConfig } from './config.ts';
import { label, sendError, wrongMethod } from './http/answer.ts';
import { answerClientError } from './http/client-error.ts';
import {
  apiHeaders,
  checkoutHeaders,
  commonHeaders,
  fileHeaders,
  pageHeaders,
} from './http/security-headers.ts';
import { Limits } from './limits/limits.ts';
import type { SharedCounts } from './limits/window-counter.ts';
import { MeasuredResponse, showSockets } from './metrics.ts';
import { ClientReader } from './proxy/client.ts';
import type { Tunnel } from './proxy/tunnel.ts';
import { refuseUpgrade } from './proxy/upgrade.ts';
import { Upstream } from './proxy/upstream.ts';
import { Api } from './routes/api.ts';
import { HealthCheck } from './routes/health.ts';
import { Passage } from './routes/passage.ts';
import { SERVICE_TITLES } from './routes/services.ts';
import { RouteTable } from './routes/table.ts';
import { LoopGuard, watchLoop } from './shedding/loop-guard.ts';
import { Shedder } from './shedding/shedder.ts';
import { Web } from './web/web.ts';

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
  const security = {
    https: config.PUBLIC_URL.startsWith('https://'),
    checkoutOrigins: config.CHECKOUT_ORIGINS,
    remoteOrigins: foreignOrigins([config.REMOTE_USER_URL, config.REMOTE_ADMIN_URL]),
  };
  const table = new RouteTable(parts.routes ?? allRoutes(), {
    defaultDeadlineMs: config.DEADLINE_MS,
    jsonMaxBytes: config.JSON_MAX_BYTES,
    uploadMaxBytes: config.UPLOAD_MAX_BYTES,
  });
  const silenceMs = table.longestDeadlineMs + SILENCE_AFTER_MS;
  const build: BuildUpstream = (name, title, url) => buildUpstream(config, silenceMs, name, title, url);
  const upstreams = upstreamsOf(config, build);
  const all = SERVICE_NAMES.map((name) => upstreams[name]);
  const sandbox =
    config.SANDBOX_URL === undefined ? null : build('sandbox', 'The sandbox', config.SANDBOX_URL);
  const limits = new Limits({
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    sensitivePerMinute: config.RATE_LIMIT_SENSITIVE_PER_MINUTE,
    heavyPerMinute: config.RATE_LIMIT_HEAVY_PER_MINUTE,
    shared: parts.counts,
    now: parts.now,
    onSharedState: (fault) =>
      fault === null
        ? logger.info('Rate limits are shared again')
        : logger.warn({ err: fault }, 'Rate limits are counted by this process alone'),
  });
  const behind = sandbox === null ? all : [...all, sandbox];
  const shedder = new Shedder(behind, new LoopGuard(config.QUEUE_TARGET_MS, watchLoop()));
  const passage = new Passage({
    clients: new ClientReader(config.TRUSTED_PROXIES, security.https ? 'https' : 'http'),
    limits,
    shedder,
    logger,
    stallMs: config.UPLOAD_STALL_MS,
  });
  const apiDefaults = apiHeaders(security);
  const api = new Api({
    passage,
    table,
    upstreams,
    verifier: parts.verifier,
    health: new HealthCheck(all),
    headers: apiDefaults,
  });
  const web = new Web({
    webDir: config.WEB_DIR,
    remotes: {
      user: { url: config.REMOTE_USER_URL, integrity: config.REMOTE_USER_INTEGRITY },
      admin: { url: config.REMOTE_ADMIN_URL, integrity: config.REMOTE_ADMIN_INTEGRITY },
    },
    scriptOrigins: security.remoteOrigins,
    headers: {
      page: pageHeaders(security),
      checkout: checkoutHeaders(security),
      file: fileHeaders(security),
    },
  });

  const common = commonHeaders(security);
  const unrouted = {
    deadlineMs: config.DEADLINE_MS,
    maxBytes: config.JSON_MAX_BYTES,
    defaults: common,
    // Sockets by polling, which wait for news; nobody who can have a real one asks for that.
    weight: { lane: 'long', urgency: 'patient' },
  } as const;
  let draining = false;
  let closing: Promise<void> | undefined;

  /** Not async itself: most requests are forwarded without waiting for anything but their token. */
  function handle(req: IncomingMessage, res: ServerResponse, url: string): Promise<void> | undefined {
    if (draining) res.setHeader('connection', 'close');
    if (!url.startsWith('/')) throw badRequest('bad_request', 'This address could not be understood.');
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (isApi(url)) return api.handle(req, res, path);
    const service = serviceBehind(path);
    if (service !== null) {
      const target = { upstream: service, path: url, ...unrouted };
      const client = passage.admit(req);
      if (!passage.turnsAway(req, res, target)) passage.send(req, res, target, client);
      return undefined;
    }
    if (path === '/healthz' || path === '/readyz') {
      answerProbe(res, path === '/healthz' || !draining);
      return undefined;
    }
    passage.admit(req);
    if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
    return web.serve(req, res, path);
  }

  /** What is no contract's but a service's all the same. */
  function serviceBehind(path: string): Upstream | null {
    if (path.startsWith('/socket.io/')) return upstreams.messaging;
    return path.startsWith('/dev/') || path.startsWith('/sandbox/') ? sandbox : null;
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const url = req.url ?? '';
    const fail = (error: unknown): void => {
      if (req.socket.destroyed) return;
      passage.report(error);
      if (!res.headersSent) label(res, isApi(url) ? apiDefaults : common);
      sendError(req, res, error);
    };
    try {
      handle(req, res, url)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };

  const server = createServer(
    {
      ServerResponse: MeasuredResponse,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
      connectionsCheckingInterval: 5_000,
    },
    onRequest,
  );
  server.headersTimeout = HEAD_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = silenceMs;
  // An upload that is refused is told so before its body is on the way.
  server.on('checkContinue', onRequest);
  server.on('clientError', answerClientError);
  const tunnels = new Set<Tunnel>();
  showSockets(() => tunnels.size);
  server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
    if (tunnels.size >= config.WEBSOCKETS_MAX)
      refuseUpgrade(socket, 503, 'Too many pages are open right now. Please try again in a moment.');
    else if (draining) refuseUpgrade(socket, 503, 'This address is closing. Please connect again.');
    else passage.upgrade(req, socket, head, upstreams.messaging, tunnels);
  });

  return {
    server,
    log: logger,
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.PORT, config.HOST, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : config.PORT);
        });
      }),
    startDraining: () => {
      if (draining) return;
      draining = true;
      // A part of the time before the end is left for those who had to try twice.
      const withinMs = Math.floor(config.DRAIN_WAIT_MS * 0.7);
      if (withinMs > 0) for (const tunnel of tunnels) tunnel.tellLeaving(withinMs);
    },
    close: () => (closing ??= close()),
  };

  async function close(): Promise<void> {
    draining = true;
    limits.stop();
    shedder.stop();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const tunnel of tunnels) tunnel.end();
    // A connection whose answer was under way becomes idle later.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    await closed;
    clearInterval(sweep);
    for (const one of behind) one.close();
  }
}

type BuildUpstream = (name: string, title: string, url: string) => Upstream;

function upstreamsOf(config: GatewayConfig, build: BuildUpstream): Record<ServiceName, Upstream> {
  const urls: Record<ServiceName, string> = {
    auth: config.AUTH_URL,
    documents: config.DOCUMENTS_URL,
    payments: config.PAYMENTS_URL,
    wallet: config.WALLET_URL,
    messaging: config.MESSAGING_URL,
    vision: config.VISION_URL,
    cms: config.CMS_URL,
  };
  const of = (name: ServiceName) => build(name, SERVICE_TITLES[name], urls[name]);
  return {
    auth: of('auth'),
    documents: of('documents'),
    payments: of('payments'),
    wallet: of('wallet'),
    messaging: of('messaging'),
    vision: of('vision'),
    cms: of('cms'),
  };
}

function buildUpstream(
  config: GatewayConfig,
  idleTimeoutMs: number,
  name: string,
  title: string,
  url: string,
): Upstream {
  return new Upstream({
    name,
    title,
    url,
    connections: config.UPSTREAM_CONNECTIONS,
    maxInFlight: config.UPSTREAM_MAX_IN_FLIGHT,
    queueTargetMs: config.QUEUE_TARGET_MS,
    connectTimeoutMs: 2_000,
    idleTimeoutMs,
  });
}

/** Of these addresses those that name an origin of their own. */
function foreignOrigins(urls: readonly string[]): string[] {
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
}

function isApi(url: string): boolean {
  return url.startsWith('/api') && (url.length === 4 || url[4] === '/' || url[4] === '?');
}

function answerProbe(res: ServerResponse, ok: boolean): void {
  res.writeHead(ok ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
  res.end(JSON.stringify({ status: ok ? 'ok' : 'draining' }));
}
