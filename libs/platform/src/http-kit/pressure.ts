/**
 * The last guard of a service: it refuses when it is so far behind that whatever it takes in would be answered too late.
 * Gateways notice much earlier (ADR 0032); this is for many of them that each send a little, and for what does not come
 * through one. Questions of other services over the broker are not refused: work that was let in waits for them.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/index.ts';

const MAX_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;
/** Samples in a row that must be late: a single one is a pause, of the collector, a start or a large document. */
const LATE_SAMPLES = 2;
const LOOKS_EVERY_MS = 10;

export type PressureOptions = {
  /** Is something that requests need so crowded that waiting for it is of no use? The database's pool, say. */
  isCrowded?: () => boolean;
  /** Milliseconds that the event loop may be late on the mean of each of two seconds in a row; 1,000 when not given. */
  maxLoopDelayMs?: number;
};

/** 503 with a time to come back that is not the same for all. */
function overloaded(): AppError {
  const seconds = 1 + Math.floor(Math.random() * 4);
  return new AppError(503, 'overloaded', 'There is too much to do right now. Please try again in a moment.', {
    headers: { 'retry-after': String(seconds) },
  });
}

/**
 * Refuses with 503 while this process is far behind.
 *
 * @param spared patterns of routes that are always answered: probes, and what operations look at
 */
export function guardAgainstPressure(
  app: FastifyInstance,
  { isCrowded = () => false, maxLoopDelayMs = MAX_LOOP_DELAY_MS }: PressureOptions,
  spared: ReadonlySet<string>,
): void {
  const loop = watchDelay(maxLoopDelayMs);
  app.addHook('onClose', () => loop.stop());
  // The plugin's own measure of the loop refuses after a single late sample.
  void app.register(underPressure, {
    healthCheck: async () => !isCrowded() && !loop.isBehind(),
    healthCheckInterval: SAMPLE_MS / 4,
    pressureHandler: async (req) => {
      if (!spared.has(req.routeOptions.url ?? '')) throw overloaded();
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
