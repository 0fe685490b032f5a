import { ANSWER_SECONDS, onAnswered } from '@karaar/http';
import { gaugeOnScrape, histogram } from '@karaar/observability/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Sockets } from './proxy/sockets.ts';

const duration = histogram({
  name: 'gateway_request_duration_seconds',
  help: 'Time from the request head until the answer has been sent or its reader has gone',
  labelNames: ['route', 'status'],
  buckets: ANSWER_SECONDS,
});

/**
 * Records every answer under `METHOD /pattern`, because the path would create a time series for each
 * document.
 */
export function showMetrics(app: FastifyInstance, sockets: Sockets): void {
  onAnswered(app, (req, status, seconds) => {
    duration.observe({ route: req.routeOptions.config.route?.key ?? 'other', status }, seconds);
  });
  const help = 'Websockets that pass through';
  gaugeOnScrape({ name: 'gateway_websockets_open', help }, async () => ({ '': sockets.size }));
}
