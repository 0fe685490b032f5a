import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Logger } from '../../logging/index.ts';
import { registerBodies } from '../input/bodies.ts';
import { registerMetrics } from '../observed/metrics.ts';
import { keepPace, type Pace } from '../limits/pace.ts';
import { guardAgainstPressure, type PressureOptions } from '../limits/pressure.ts';
import { requestIdOf } from '../observed/request-id.ts';
import { RequestLog } from '../observed/request-log.ts';
import { followAnswers, refuseBytes } from '../input/unreadable.ts';
import { frameworkErrors, registerErrors } from '../wire-errors.ts';

export type BaseOptions = {
  logger: Logger;
  /** Bytes of a JSON or urlencoded body; 1 MiB when not given. Files have limits of their own in the contract. */
  bodyLimit?: number | undefined;
  /** Whose `X-Forwarded-For` is believed for `req.ip`. */
  trustProxy: string[] | false;
  /** When the app refuses requests because it is far behind. */
  pressure?: PressureOptions | undefined;
  /** How slowly a body may arrive. */
  pace?: Pace | undefined;
  /** Patterns of routes that are answered however far behind the app is. */
  spared: readonly string[];
  /** A registry of its own, for tests that count. */
  registry?: Registry | undefined;
  /** From here on connections are closed after their current answer. */
  isDraining: () => boolean;
};

const MiB = 1024 * 1024;
/** The gateway asks for more, in shorter windows: its answer comes first. */
const PACE: Pace = { windowMs: 120_000, minBytesPerS: 128 };

/** Fastify's options at every port of the product; above all, unusual paths are read alike everywhere. */
export const serverOptions = (logger: Logger) => ({
  loggerInstance: logger as FastifyBaseLogger,
  genReqId: (req: IncomingMessage) => requestIdOf(req.headers['x-request-id']),
  routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  // While draining, a request on an open connection is still answered, and the connection is then closed.
  return503OnClosing: false,
  clientErrorHandler: refuseBytes,
});

/** What both ports of a service have: request ids, limits, body parsers, counted requests and the error shape. */
export function createBaseApp(options: BaseOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...serverOptions(options.logger),
    logController: new RequestLog(),
    bodyLimit: options.bodyLimit ?? MiB,
    // A phone on a slow network may take an hour for its files, as long as they flow; a request head needs seconds.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 20_000 },
    trustProxy: options.trustProxy,
    frameworkErrors,
  });
  followAnswers(app.server);
  keepPace(app.server, options.pace ?? PACE);
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
