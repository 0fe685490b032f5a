import { TRAFFIC_CLASSES } from '@karaar/contracts/traffic-class';
import type { Urgency } from '@karaar/contracts/urgency';
import { counter, gauge, setOnScrape } from '@karaar/observability/telemetry';
import type { Breaker } from './breaker.ts';
import type { ServiceGate } from './service-gate.ts';

type Gated = { name: string; gate: ServiceGate; breaker: Breaker };

const shed = counter({
  name: 'gateway_shed_total',
  help: 'Requests turned away: no room at the service, none in this process, or the breaker is open',
  labelNames: ['service', 'urgency', 'reason'],
});
const limit = gauge({
  name: 'gateway_service_limit',
  help: 'Requests that may be under way at a service, as the gateway has found out',
  labelNames: ['service', 'traffic_class'],
});
const underWay = gauge({
  name: 'gateway_service_in_flight',
  help: 'Requests under way at a service',
  labelNames: ['service', 'traffic_class'],
});
const standing = gauge({
  name: 'gateway_service_queue_delay_seconds',
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

/**
 * Counts a refused request.
 * @param urgency '' if it does not matter
 */
export function countShed(
  service: string,
  urgency: Urgency | '',
  reason: 'service' | 'gateway' | 'breaker',
): void {
  shed.inc({ service, urgency, reason });
}

/**
 * Fills the gauges of each service and of this process's shed level at every scrape; delays are in seconds.
 */
export function showGates(services: readonly Gated[], readLevel: () => number): void {
  setOnScrape(level, () => level.set(readLevel()));
  setOnScrape(limit, () => {
    for (const {
      name: service,
      gate,
      breaker: { isOpen },
    } of services) {
      for (const trafficClass of TRAFFIC_CLASSES) {
        limit.set({ service, traffic_class: trafficClass }, gate.limit(trafficClass));
        underWay.set({ service, traffic_class: trafficClass }, gate.underWay(trafficClass));
      }
      standing.set({ service }, gate.queueDelayMs / 1_000);
      breaker.set({ service }, isOpen ? 1 : 0);
    }
  });
}
