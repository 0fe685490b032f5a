/** Records spans and sends them in batches to a collector (OTLP over HTTP). */
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { recordTraces } from './trace.ts';

export type TracingOptions = {
  service: string;
  /** Base URL of the collector; `/v1/traces` is added. */
  endpoint: string;
  /**
   * Share of the traces begun here that are recorded. A trace begun by another service is recorded if that
   * service records it.
   */
  ratio: number;
  /** Milliseconds between two exports; 2 s by default. */
  everyMs?: number;
};

/**
 * Starts recording. Call it once per process, before the first span.
 * @returns a function that sends the remaining spans (for at most 2 s) and stops
 */
export function startTracing({
  service,
  endpoint,
  ratio,
  everyMs = 2_000,
}: TracingOptions): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: 5_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'karaar' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: everyMs })],
  });
  trace.setGlobalTracerProvider(provider);
  recordTraces(ratio);
  return async () => {
    const late = new Promise<void>((resolve) => void setTimeout(resolve, 2_000).unref());
    // A process must be able to end while the collector is away; unsent spans are lost.
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
  };
}
