/** Finishes reversals that a crash left between decision and record. */
import { startWorker, type Worker } from '@karaar/platform/worker';
import type { Context } from '../../context.ts';
import { sweepReversals } from './carry-out.service.ts';

/** One round now and then, until stopped; a failed round is logged and repeated. */
export function startReversalSweeper(ctx: Context): Worker {
  return startWorker({
    restMs: ctx.config.SWEEP_EVERY_MS,
    turn: async (signal) => void (await sweepReversals(ctx, signal)),
    onError: (err) => ctx.logger.warn({ err }, 'sweeper round of reversals failed'),
  });
}
