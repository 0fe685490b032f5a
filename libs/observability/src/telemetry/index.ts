/**
 * Metrics (prom-client) and OpenTelemetry traces: trace ids are always propagated with calls and events;
 * spans are recorded if a collector is configured (`startTracing`).
 */
export { collectProcessMetrics, counter, gauge, histogram, registry } from './metrics.ts';
export { traceparentOf } from './outer-trace.ts';
export { gaugeOnScrape, setOnScrape } from './on-scrape.ts';
export { startTracing, type TracingOptions } from './sdk.ts';
export {
  currentTraceId,
  currentTraceparent,
  inSpan,
  noteSpan,
  openServerSpan,
  traceHeaders,
  withTraceparent,
  type OpenSpan,
} from './trace.ts';
