import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Principal, TokenVerifier } from '../auth/index.ts';
import type { Logger } from '../logging/index.ts';
import type { FileScanner } from '../scan/index.ts';
import { registerBodies } from './bodies.ts';
import { registerHealth, type ReadinessChecks } from './health.ts';
import { exposeMetrics, registerMetrics } from './metrics.ts';
import { guardAgainstPressure, type PressureOptions } from './pressure.ts';
import { sweepAbandoned } from './spool-dir.ts';
import { RequestLog } from './request-log.ts';
import { clientErrorHandler, frameworkErrors, registerErrors } from './wire-errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** From here on `/readyz` says 503 and connections are closed after their current answer. */
    startDraining(): void;
    /** Calls back once, when the process is told to stop and others take over: while it still answers. */
    onDraining(listener: () => void): void;
    /** Checks tokens of this app's routes; undefined when the app has public routes only. */
    tokenVerifier: TokenVerifier | undefined;
    /** Looks through the files of forms before handlers get them; undefined where none is configured. */
    fileScanner: FileScanner | undefined;
  }
  interface FastifyRequest {
    /** Set before the body is read on every route that is not public. */
    principal: Principal | undefined;
  }
}

export type HttpApp = FastifyInstance;

export type HttpAppOptions = {
  name: string;
  logger: Logger;
  /** What `/readyz` asks, by name; each has one second. */
  readiness?: ReadinessChecks;
  /** Needed as soon as one route is not public. */
  verifier?: TokenVerifier | undefined;
  /** Of the files of forms. */
  scanner?: FileScanner | undefined;
  /** Bytes of a JSON or urlencoded body; 1 MiB when not given. Files have limits of their own in the contract. */
  bodyLimit?: number;
  /** Where metrics are shown; `false` on a public port. */
  metricsPath?: string | false;
  /**
   * Whose `X-Forwarded-For` is believed for `req.ip`; loopback and private networks when not given, because the
   * gateway (or its ingress) stands there and nobody else reaches a service.
   */
  trustProxy?: string[];
  /** When it refuses because it is far behind. */
  pressure?: PressureOptions;
  /** A registry of its own, for tests that count. */
  registry?: Registry;
};

const REQUEST_ID = /^[\w.-]{8,64}$/;
const MiB = 1024 * 1024;

/**
 * An app with health, readiness, metrics, request ids, body parsers, limits and the error shape. Routes are added
 * with `mountRoute`. Listening is separate (`listen`), so that tests use `app.inject` or a port of their own.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const app = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new RequestLog(),
    genReqId: (req) => {
      const given = req.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    bodyLimit: options.bodyLimit ?? MiB,
    // A phone on a slow line needs minutes for its files; a head needs seconds.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000 },
    // While draining, what still arrives on an open connection is answered, and the connection then closed.
    return503OnClosing: false,
    trustProxy: options.trustProxy ?? ['loopback', 'linklocal', 'uniquelocal'],
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    frameworkErrors,
    clientErrorHandler,
  });
  let draining = false;
  const onDraining: (() => void)[] = [];
  app.decorate('startDraining', () => {
    draining = true;
    for (const listener of onDraining.splice(0)) listener();
  });
  app.decorate('onDraining', (listener: () => void) => void onDraining.push(listener));
  app.decorate('tokenVerifier', options.verifier);
  app.decorate('fileScanner', options.scanner);
  app.decorateRequest('principal', undefined);
  app.addHook('onRequest', (req, reply, done) => {
    reply.header('x-request-id', req.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.addHook('onSend', (_req, reply, payload, done) => {
    // Asked when the answer goes out: a connection left open would hold the process until it is idle long enough.
    if (draining) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onReady', () => sweepAbandoned(options.logger));
  const { metricsPath = '/metrics' } = options;
  guardAgainstPressure(
    app,
    options.pressure ?? {},
    new Set(['/healthz', '/readyz', ...(metricsPath === false ? [] : [metricsPath])]),
  );
  registerErrors(app);
  registerMetrics(app, options.registry);
  registerBodies(app);
  registerHealth(app, options.readiness ?? {}, () => draining);
  if (metricsPath !== false) exposeMetrics(app, metricsPath, options.registry);
  return app;
}
