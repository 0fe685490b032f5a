import { AppError } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { isCredited } from './topup.repository.ts';
import { creditOrder } from './topup.service.ts';

/**
 * Credits the payment of a refund or dispute first, because the payment's own webhook may be late or lost.
 */
export async function creditFirst(ctx: Context, paymentId: string): Promise<void> {
  if (await isCredited(ctx.db, paymentId)) return;
  const payment = await ctx.provider.findPayment(paymentId);
  if (!payment || !(payment.captured || payment.refunded)) return;
  try {
    await creditOrder(ctx, payment.orderId, payment);
  } catch (error) {
    // The payment is an exception now; its refund becomes another one.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}
