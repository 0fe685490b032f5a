/**
 * The last guard of a service: it refuses when it is so far behind that whatever it takes in would be answered too late.
 * Gateways notice much earlier (ADR 0032); this is for many of them that each send a little, and for what does not come
 * through one. Questions of other services over the broker are not refused: work that was let in waits for them.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/index.ts';

/** So late that a pause, of the collector or by a large document, is not taken for it. */
const MAX_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 1_000;

export type PressureOptions = {
  /** Is something that requests need so crowded that waiting for it is of no use? The database's pool, say. */
  isCrowded?: () => boolean;
  /** Milliseconds that the event loop may be late on the mean of a second; 1,000 when not given. */
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
  void app.register(underPressure, {
    maxEventLoopDelay: maxLoopDelayMs,
    sampleInterval: SAMPLE_MS,
    healthCheck: async () => !isCrowded(),
    healthCheckInterval: SAMPLE_MS / 4,
    pressureHandler: async (req) => {
      if (!spared.has(req.routeOptions.url ?? '')) throw overloaded();
    },
  });
}
