import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import {
  collectProcessMetrics,
  gauge,
  histogram,
  registry as processRegistry,
} from '@karaar/observability/telemetry';
import { whenClosed } from './when-closed.ts';

export const ANSWER_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Rate, errors and duration per route (RED) in one histogram, labelled with the route's pattern: a path
 * contains ids and would create a series per document.
 */
export function registerMetrics(app: FastifyInstance, into: Registry = processRegistry): void {
  if (into === processRegistry) collectProcessMetrics();
  const duration = histogram(
    {
      name: 'http_request_duration_seconds',
      help: 'Time from the request head to the last byte of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: ANSWER_SECONDS,
    },
    into,
  );
  const inFlight = gauge({ name: 'http_requests_in_flight', help: 'Requests being answered' }, into);
  app.addHook('onRequest', (_req, _reply, done) => {
    inFlight.inc();
    done();
  });
  onAnswered(app, (req, status, seconds) => {
    inFlight.dec();
    duration.observe({ method: req.method, route: req.routeOptions.url ?? 'unknown', status }, seconds);
  });
}

/** Records every request once: when its response was sent or its client disconnected (status 499). */
export function onAnswered(
  app: FastifyInstance,
  observe: (req: FastifyRequest, status: string, seconds: number) => void,
): void {
  app.addHook('onRequest', (req, { raw: res }, done) => {
    const began = performance.now();
    whenClosed(res, () => {
      const status = res.writableFinished ? String(res.statusCode) : '499';
      observe(req, status, (performance.now() - began) / 1_000);
    });
    done();
  });
}

/** Registers `GET path` with the registry's metrics in the text format of Prometheus. */
export function exposeMetrics(app: FastifyInstance, path: string, from: Registry = processRegistry): void {
  app.get(path, async (_req, reply) => reply.type(from.contentType).send(await from.metrics()));
}
