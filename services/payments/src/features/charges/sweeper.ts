import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { interruptedPayments } from './charges.repository.ts';
import { finish, isUnfunded } from './saga.service.ts';

/**
 * Finishes payments that a crash interrupted, until `signal` aborts. Returns how many completed or failed.
 */
export async function sweep(ctx: Context, signal?: AbortSignal): Promise<number> {
  let finished = 0;
  for (const payment of await interruptedPayments(ctx.db, ctx.config.SWEEP_AFTER_MS)) {
    // While the wallet does not answer, each payment takes until its deadline.
    if (signal?.aborted) break;
    try {
      await finish(ctx, payment);
      finished += 1;
    } catch (error) {
      if (isUnfunded(error)) finished += 1;
      else ctx.logger.warn({ err: error, paymentId: payment.id }, 'an interrupted payment is still open');
    }
  }
  return finished;
}

export function startSweeper(ctx: Context): Worker {
  return startWorker({
    restMs: ctx.config.SWEEP_EVERY_MS,
    turn: async (signal) => void (await sweep(ctx, signal)),
    onError: (err) => ctx.logger.warn({ err }, 'sweeper round failed'),
  });
}
