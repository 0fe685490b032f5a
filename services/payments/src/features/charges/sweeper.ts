/** Finishes payments that a crash left between intent and outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { interruptedPayments } from './charges.repository.ts';
import { execute } from './saga.service.ts';

/** One round, until told to stop; returns how many payments were finished, either way. */
export async function sweep(ctx: Context, signal?: AbortSignal): Promise<number> {
  let finished = 0;
  for (const payment of await interruptedPayments(ctx.db, ctx.config.SWEEP_AFTER_MS)) {
    // While the wallet is silent each one waits for its deadline.
    if (signal?.aborted) break;
    try {
      await execute(ctx, payment);
      finished += 1;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) finished += 1;
      else ctx.logger.warn({ err: error, paymentId: payment.id }, 'an interrupted payment is still open');
    }
  }
  return finished;
}

export function startSweeper(ctx: Context): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await sweep(ctx, stopping.signal).catch((error: unknown) =>
        ctx.logger.warn({ err: error }, 'sweeper round failed'),
      );
      await sleep(ctx.config.SWEEP_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
