import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { sweepReversals } from './carry-out.service.ts';

export function startReversalSweeper(ctx: Context): Worker {
  return startWorker({
    restMs: ctx.config.SWEEP_EVERY_MS,
    turn: async (signal) => void (await sweepReversals(ctx, signal)),
    onError: (err) => ctx.logger.warn({ err }, 'sweeper round of reversals failed'),
  });
}
