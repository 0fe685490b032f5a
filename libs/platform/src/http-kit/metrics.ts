import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import {
  collectProcessMetrics,
  gauge,
  histogram,
  registry as processRegistry,
} from '../telemetry/metrics.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Rate, errors and duration per route (RED) in one histogram, labelled with the route's pattern and never with
 * the path: a path holds ids and would make a series per document.
 */
export function registerMetrics(app: FastifyInstance, into: Registry = processRegistry): void {
  if (into === processRegistry) collectProcessMetrics();
  const duration = histogram(
    {
      name: 'http_request_duration_seconds',
      help: 'Time from the request head to the last byte of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
    },
    into,
  );
  const inFlight = gauge({ name: 'http_requests_in_flight', help: 'Requests being answered' }, into);
  const counted = new WeakSet<object>();
  app.addHook('onRequest', (req, reply, done) => {
    inFlight.inc();
    counted.add(req);
    // `close` also comes when the client went away before the answer, `onResponse` does not.
    reply.raw.once('close', () => {
      if (counted.delete(req)) inFlight.dec();
    });
    done();
  });
  app.addHook('onResponse', (req, reply, done) => {
    if (counted.delete(req)) inFlight.dec();
    const route = req.routeOptions.url ?? 'unknown';
    duration.observe(
      { method: req.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
}

/** Serves the registry as Prometheus text. */
export function exposeMetrics(app: FastifyInstance, path: string, from: Registry = processRegistry): void {
  app.get(path, async (_req, reply) => reply.type(from.contentType).send(await from.metrics()));
}
