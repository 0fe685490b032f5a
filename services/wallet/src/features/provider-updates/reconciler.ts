/**
 * Catches up with the provider: paid orders whose callbacks were lost (design §3 Wallet), and open refunds.
 */
import { inTransaction } from '@karaar/db';
import { startWorker, type Worker } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { sweepCardRefunds } from '../exceptions/card-refunds.service.ts';
import { sweepRefunds } from '../refunds/carry-out.service.ts';
import { publishOrder } from '../topup/card-events.ts';
import { forgetOldWebhooks } from '../provider/webhooks.repository.ts';
import { claimOrdersToCheck, expireOrders } from '../topup/topup.repository.ts';
import { creditOrder } from '../topup/topup.service.ts';

/** Checks the orders that are due, until `signal` aborts; returns how many were credited. */
export async function reconcile(ctx: Context, signal?: AbortSignal): Promise<number> {
  let credited = 0;
  for (const order of await claimOrdersToCheck(ctx.db, 20)) {
    // Each order may take as long as a slow provider; the remaining ones are due again in some seconds.
    if (signal?.aborted) break;
    try {
      const payment = (await ctx.provider.paymentsOf(order.id)).find((candidate) => candidate.captured);
      if (!payment) continue;
      await creditOrder(ctx, order.id, payment);
      credited += 1;
    } catch (error) {
      ctx.logger.warn(
        { err: error, orderId: order.id },
        'an open order could not be reconciled; it is tried again',
      );
    }
  }
  return credited;
}

/** Marks up to 100 abandoned top-ups as failed, and publishes that. Returns how many were open until now. */
export async function expireAbandoned(ctx: Context): Promise<number> {
  const expired = await inTransaction(ctx.db, async (tx) => {
    const orders = await expireOrders(tx, 100);
    for (const order of orders) await publishOrder(ctx, tx, order);
    return orders;
  });
  return expired.length;
}

async function round(ctx: Context, signal: AbortSignal): Promise<void> {
  await reconcile(ctx, signal);
  await expireAbandoned(ctx);
  await sweepRefunds(ctx, signal);
  await sweepCardRefunds(ctx, signal);
  await forgetOldWebhooks(ctx.db);
}

export function startReconciler(ctx: Context): Worker {
  return startWorker({
    restMs: ctx.config.RECONCILE_EVERY_MS,
    turn: (signal) => round(ctx, signal),
    onError: (err) => ctx.logger.warn({ err }, 'reconciler round failed'),
  });
}
