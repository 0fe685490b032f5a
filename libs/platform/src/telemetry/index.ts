/**
 * Metrics (prom-client), and traces by OpenTelemetry: their ids go along with every call and event in any case, and
 * spans are recorded where a collector is configured (`startTracing`).
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
