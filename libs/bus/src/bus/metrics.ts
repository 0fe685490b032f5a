import { counter, gauge } from '@karaar/observability/telemetry';

export const published = counter({
  name: 'outbox_published_total',
  help: 'Events that the broker has acknowledged',
  labelNames: ['service'],
});

export const publishFailures = counter({
  name: 'outbox_publish_failures_total',
  help: 'Attempts to publish whose outcome is unknown or that the broker refused',
  labelNames: ['service'],
});

export const unpublished = gauge({
  name: 'outbox_unpublished',
  help: 'Events that wait to be published',
  labelNames: ['service'],
});

export const oldestUnpublished = gauge({
  name: 'outbox_oldest_seconds',
  help: 'Age of the oldest event that waits to be published',
  labelNames: ['service'],
});

export const parked = gauge({
  name: 'outbox_parked',
  help: 'Events whose attempts are exhausted; they wait for outbox.unpark()',
  labelNames: ['service'],
});

export const rebuilt = counter({
  name: 'outbox_stream_rebuilds_total',
  help: 'Times that the broker had lost events and its stream was filled again from Postgres',
  labelNames: ['service'],
});

export const handled = counter({
  name: 'bus_events_handled_total',
  help: 'Deliveries by outcome: applied, duplicate, ignored, retry, dead',
  labelNames: ['service', 'handler', 'outcome'],
});

export const backlog = gauge({
  name: 'bus_events_backlog',
  help: 'Events that waited behind the latest one delivered',
  labelNames: ['service', 'handler'],
});

export const rpcServed = counter({
  name: 'bus_rpc_served_total',
  help: 'Requests answered, by status',
  labelNames: ['service', 'subject', 'status'],
});
