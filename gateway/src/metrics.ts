/** What operations see of the gateway: rate, errors and duration per route, sockets, and services that are away. */
import { gaugeOnScrape, histogram } from '@karaar/platform/telemetry';
import type { FastifyInstance } from 'fastify';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const duration = histogram({
  name: 'gateway_request_duration_seconds',
  help: 'Time from the request head until the answer has been sent or its reader has gone',
  labelNames: ['route', 'status'],
  buckets: SECONDS,
});

/** Notes every answer, under `METHOD /pattern`: a path would make a series per document. */
export function measureAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (req, { raw: res }, done) => {
    const began = performance.now();
    res.once('close', () => {
      // 499: the browser went before its answer was complete.
      const status = res.writableFinished ? String(res.statusCode) : '499';
      const route = req.routeOptions.config.route?.key ?? 'other';
      duration.observe({ route, status }, (performance.now() - began) / 1_000);
    });
    done();
  });
}

/** Reads the number of open sockets whenever the metrics are asked for. */
export function showSockets(count: () => number): void {
  const help = 'Websockets that pass through';
  gaugeOnScrape({ name: 'gateway_websockets_open', help }, async () => ({ '': count() }));
}
