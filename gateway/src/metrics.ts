/** What operations see of the gateway: rate, errors and duration per route, sockets, and services that are away. */
import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import {
  collectProcessMetrics,
  counter,
  gauge,
  histogram,
  registry,
  setOnScrape,
} from '@karaar/platform/telemetry';
import type { Upstream } from './proxy/upstream.ts';
import { LANES } from './shedding/lane.ts';
import type { Urgency } from './shedding/urgency.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const duration = histogram({
  name: 'gateway_request_duration_seconds',
  help: 'Time from the request head until the answer has been sent or its reader has gone',
  labelNames: ['route', 'status'],
  buckets: SECONDS,
});

const sockets = gauge({ name: 'gateway_websockets_open', help: 'Websockets that pass through' });

const shed = counter({
  name: 'gateway_shed_total',
  help: 'Requests turned away: no room at the service, none in this process, or the breaker is open',
  labelNames: ['service', 'urgency', 'reason'],
});
const limit = gauge({
  name: 'gateway_service_limit',
  help: 'Requests that may be under way at a service, as the gateway has found out',
  labelNames: ['service', 'lane'],
});
const underWay = gauge({
  name: 'gateway_service_in_flight',
  help: 'Requests under way at a service',
  labelNames: ['service', 'lane'],
});
const standing = gauge({
  name: 'gateway_service_standing_delay_seconds',
  help: 'How long most requests to a service waited for others when that was last measured',
  labelNames: ['service'],
});
const breaker = gauge({
  name: 'gateway_service_breaker_open',
  help: '1 while requests to a service are answered at once because it does not answer',
  labelNames: ['service'],
});
const level = gauge({
  name: 'gateway_shed_level',
  help: 'How much this process turns away for itself: 0 nothing, 0.5 all that is patient, 1 all but what is vital',
});

/** Notes a request that was turned away. @param urgency '' where nobody asked for it */
export function countShed(
  service: string,
  urgency: Urgency | '',
  reason: 'service' | 'gateway' | 'breaker',
): void {
  shed.inc({ service, urgency, reason });
}

/** Reads the state of each gate whenever the metrics are asked for. */
export function showGates(upstreams: readonly Upstream[], readLevel: () => number): void {
  setOnScrape(level, () => level.set(readLevel()));
  setOnScrape(limit, () => {
    for (const { name: service, gate, isAway } of upstreams) {
      for (const lane of LANES) {
        limit.set({ service, lane }, gate.limit(lane));
        underWay.set({ service, lane }, gate.underWay(lane));
      }
      standing.set({ service }, gate.standingMs / 1_000);
      breaker.set({ service }, isAway ? 1 : 0);
    }
  });
}

/** An answer of the gateway, which is noted when it is over. */
export class MeasuredResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  readonly #began = performance.now();
  /** `METHOD /pattern`, noted by whoever finds it; a path would make a series per document. */
  #route = 'other';

  constructor(req: Request, options?: object) {
    // Node hands its options over as well, which its types do not know.
    super(...([req, options] as unknown as [Request]));
    this.on('close', this.#onClose);
  }

  nameRoute(key: string): void {
    this.#route = key;
  }

  #onClose(): void {
    // 499: the browser went before its answer was complete.
    const status = this.writableFinished ? String(this.statusCode) : '499';
    duration.observe({ route: this.#route, status }, (performance.now() - this.#began) / 1_000);
  }
}

/** Names the route that a request was found to be for. */
export function nameRoute(res: ServerResponse, key: string): void {
  if (res instanceof MeasuredResponse) res.nameRoute(key);
}

/** Reads the number of open sockets whenever the metrics are asked for. */
export function showSockets(count: () => number): void {
  setOnScrape(sockets, () => sockets.set(count()));
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
