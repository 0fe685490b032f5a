/**
 * The last protection of a service: it rejects requests when it is so overloaded that it would answer too
 * late. Gateways notice overload much earlier (ADR 0032); this covers the sum of many gateways and requests
 * that bypass them. Calls of other services are not rejected, since admitted requests wait for them.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '@karaar/base/errors';

const MAX_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;
/**
 * Number of consecutive late samples; a single one is a pause, for example of the garbage collector, a start
 * or a large document.
 */
const LATE_SAMPLES = 2;
const LOOKS_EVERY_MS = 10;

export type PressureOptions = {
  /**
   * Returns true if a resource that requests need, such as the database pool, is so crowded that waiting is
   * useless.
   */
  isCrowded?: () => boolean;
  /**
   * Average event-loop delay in milliseconds that must be exceeded in two consecutive seconds; 1,000 by
   * default.
   */
  maxLoopDelayMs?: number;
};

/** Returns 503 with a random `Retry-After`, so that clients do not return all at once. */
function overloaded(): AppError {
  const seconds = 1 + Math.floor(Math.random() * 4);
  return new AppError(503, 'overloaded', 'Karaar is very busy right now. Please try again in a moment.', {
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Rejects with 503 while this process is overloaded.
 *
 * @param spared patterns of routes that are always served: probes and metrics
 */
export function guardAgainstPressure(
  app: FastifyInstance,
  { isCrowded = () => false, maxLoopDelayMs = MAX_LOOP_DELAY_MS }: PressureOptions,
  spared: ReadonlySet<string>,
): void {
  const loop = watchDelay(maxLoopDelayMs);
  app.addHook('onClose', () => loop.stop());
  // The plugin's own measurement would reject after a single late sample.
  void app.register(underPressure, {
    healthCheck: async () => !isCrowded() && !loop.isBehind(),
    healthCheckInterval: SAMPLE_MS / 4,
    pressureHandler: async (req) => {
      const { url = '', config } = req.routeOptions;
      if (config.spared !== true && !spared.has(url)) throw overloaded();
    },
  });
}

/**
 * Samples the event-loop delay. `isBehind` returns true while the last samples were all later than `maxMs`.
 */
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
