/**
 * The last guard of a service: it refuses requests when it is so far behind that it would answer them too late.
 * Gateways notice much earlier (ADR 0032); this guard is for many gateways that each send a little, and for requests
 * that come past the gateways. Calls of other services are not refused, since admitted requests wait for them.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors/index.ts';

const MAX_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;
/** Samples in a row that must be late: a single one is a pause, of the collector, a start or a large document. */
const LATE_SAMPLES = 2;
const LOOKS_EVERY_MS = 10;

export type PressureOptions = {
  /** Whether a resource that requests need, such as the database's pool, is so crowded that waiting is useless. */
  isCrowded?: () => boolean;
  /** Milliseconds that the event loop may be late on the mean of each of two seconds in a row; 1,000 when not given. */
  maxLoopDelayMs?: number;
};

/** 503 with a `Retry-After` that differs from client to client. */
function overloaded(): AppError {
  const seconds = 1 + Math.floor(Math.random() * 4);
  return new AppError(503, 'overloaded', 'Karaar is very busy right now. Please try again in a moment.', {
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Refuses with 503 while this process is far behind.
 *
 * @param spared patterns of routes that are always answered: probes and metrics
 */
export function guardAgainstPressure(
  app: FastifyInstance,
  { isCrowded = () => false, maxLoopDelayMs = MAX_LOOP_DELAY_MS }: PressureOptions,
  spared: ReadonlySet<string>,
): void {
  const loop = watchDelay(maxLoopDelayMs);
  app.addHook('onClose', () => loop.stop());
  // The plugin's own measurement would refuse after a single late sample.
  void app.register(underPressure, {
    healthCheck: async () => !isCrowded() && !loop.isBehind(),
    healthCheckInterval: SAMPLE_MS / 4,
    pressureHandler: async (req) => {
      const { url = '', config } = req.routeOptions;
      if (config.spared !== true && !spared.has(url)) throw overloaded();
    },
  });
}

/** Samples how late the event loop is. `isBehind` is true while the last samples were all later than `maxMs`. */
function watchDelay(maxMs: number): { isBehind: () => boolean; stop: () => Promise<void> } {
  const histogram = monitorEventLoopDelay({ resolution: LOOKS_EVERY_MS });
  histogram.enable();
  let late = 0;
  const timer = setInterval(() => {
    const delayMs = histogram.count === 0 ? 0 : histogram.mean / 1e6 - LOOKS_EVERY_MS;
    late = delayMs > maxMs ? late + 1 : 0;
    histogram.reset();
  }, SAMPLE_MS).unref();
  return {
    isBehind: () => late >= LATE_SAMPLES,
    stop: async () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
