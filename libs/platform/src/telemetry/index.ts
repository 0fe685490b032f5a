/**
 * Metrics (prom-client) and trace context (OpenTelemetry API only, so that an SDK can be attached later with
 * `--import` and without a change here).
 */
export { collectProcessMetrics, counter, gauge, histogram, registry } from './metrics.ts';
export { currentTraceId, currentTraceparent, inSpan, withTraceparent } from './trace.ts';
