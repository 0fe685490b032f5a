/** What operations see of the gateway: rate, errors and duration per route, sockets, and services that are away. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { collectProcessMetrics, gauge, histogram, registry } from '@karaar/platform/telemetry';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const duration = histogram({
  name: 'gateway_request_duration_seconds',
  help: 'Time from the request head until the answer has been sent or its reader has gone',
  labelNames: ['route', 'status'],
  buckets: SECONDS,
});

const sockets = gauge({ name: 'gateway_websockets_open', help: 'Websockets that pass through' });

/** `METHOD /pattern`, noted by whoever finds it; a path would make a series per document. */
const routes = new WeakMap<ServerResponse, string>();

/** Names the route that a request was found to be for. */
export const nameRoute = (res: ServerResponse, key: string): void => void routes.set(res, key);

/** Notes a request when it is over. */
export function measure(res: ServerResponse): void {
  const began = performance.now();
  res.once('close', () => {
    const route = routes.get(res) ?? 'other';
    // 499: the browser went before its answer was complete.
    const status = res.writableFinished ? String(res.statusCode) : '499';
    duration.observe({ route, status }, (performance.now() - began) / 1_000);
  });
}

/** Reads the number of open sockets whenever the metrics are asked for. */
export function showSockets(count: () => number): void {
  Object.assign(sockets, { collect: () => sockets.set(count()) });
}

/** Serves the metrics on a port that is not public. @returns the server, to be closed at the end */
export function serveMetrics(host: string, port: number): Server {
  collectProcessMetrics();
  return createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => res.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => res.writeHead(500).end(),
    );
  }).listen(port, host);
}
