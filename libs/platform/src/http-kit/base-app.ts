import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Logger } from '../logging/index.ts';
import { registerBodies } from './bodies.ts';
import { registerMetrics } from './metrics.ts';
import { guardAgainstPressure, type PressureOptions } from './pressure.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { clientErrorHandler, frameworkErrors, registerErrors } from './wire-errors.ts';

export type BaseOptions = {
  logger: Logger;
  /** Bytes of a JSON or urlencoded body; 1 MiB when not given. Files have limits of their own in the contract. */
  bodyLimit?: number | undefined;
  /** Whose `X-Forwarded-For` is believed for `req.ip`. */
  trustProxy: string[] | false;
  /** When it refuses because it is far behind. */
  pressure?: PressureOptions | undefined;
  /** Patterns of routes that are answered however far behind it is. */
  spared: readonly string[];
  /** A registry of its own, for tests that count. */
  registry?: Registry | undefined;
  /** From here on connections are closed after their current answer. */
  isDraining: () => boolean;
};

const MiB = 1024 * 1024;

/** How paths are read, at every door of the product: all read an odd path alike. */
export const PATH_RULES = { maxParamLength: 256, ignoreTrailingSlash: true } as const;

/** What both doors of a service have: request ids, limits, body parsers, counted requests and the error shape. */
export function createBaseApp(options: BaseOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new RequestLog(),
    genReqId: (req) => requestIdOf(req.headers['x-request-id']),
    bodyLimit: options.bodyLimit ?? MiB,
    // A phone on a slow line needs minutes for its files; a head needs seconds.
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000 },
    // While draining, what still arrives on an open connection is answered, and the connection then closed.
    return503OnClosing: false,
    trustProxy: options.trustProxy,
    routerOptions: PATH_RULES,
    frameworkErrors,
    clientErrorHandler,
  });
  app.addHook('onRequest', (req, reply, done) => {
    reply.header('x-request-id', req.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.addHook('onSend', (_req, reply, payload, done) => {
    // Asked when the answer goes out: a connection left open would hold the process until it is idle long enough.
    if (options.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  guardAgainstPressure(app, options.pressure ?? {}, new Set(options.spared));
  registerErrors(app);
  registerMetrics(app, options.registry);
  registerBodies(app);
  return app;
}
