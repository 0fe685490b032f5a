import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Logger } from '@karaar/observability/logging';
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
  /**
   * Maximum bytes of a JSON or urlencoded body; 1 MiB by default. Files have their own limits in the
   * contract.
   */
  bodyLimit?: number | undefined;
  trustProxy: string[] | false;
  pressure?: PressureOptions | undefined;
  pace?: Pace | undefined;
  /** Patterns of routes that are served even under overload. */
  spared: readonly string[];
  /** A separate registry, for tests that count. */
  registry?: Registry | undefined;
  /** Returns true once connections must close after their current response. */
  isDraining: () => boolean;
};

const MiB = 1024 * 1024;
/** The gateway demands more bytes in shorter windows, so that its error comes first. */
const PACE: Pace = { windowMs: 120_000, minBytesPerS: 128 };

/** Fastify's options at every port, so that unusual paths are parsed the same way everywhere. */
export const serverOptions = (logger: Logger) => ({
  loggerInstance: logger as FastifyBaseLogger,
  genReqId: (req: IncomingMessage) => requestIdOf(req.headers['x-request-id']),
  routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
  // While draining, a request on an open connection is still answered, and the connection is then closed.
  return503OnClosing: false,
  clientErrorHandler: refuseBytes,
});

/**
 * Creates the common part of both ports: request ids, limits, body parsers, request metrics and the error
 * shape.
 */
export function createBaseApp(options: BaseOptions): FastifyInstance {
  const app: FastifyInstance = fastify({
    ...serverOptions(options.logger),
    logController: new RequestLog(),
    bodyLimit: options.bodyLimit ?? MiB,
    // A phone on a slow network may take an hour for its files, as long as data arrives; a request head needs
    // seconds.
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
    // Checked when the response is sent: an open keep-alive connection would delay the end of the process.
    if (options.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  guardAgainstPressure(app, options.pressure ?? {}, new Set(options.spared));
  registerErrors(app);
  registerMetrics(app, options.registry);
  registerBodies(app);
  return app;
}
