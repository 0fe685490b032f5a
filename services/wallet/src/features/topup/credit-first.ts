import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { isCredited } from './topup.repository.ts';
import { creditOrder } from './topup.service.ts';

/** Money that goes back must have come in: the webhook of that may be late, or lost. */
export async function creditFirst(ctx: Context, paymentId: string): Promise<void> {
  if (await isCredited(ctx.db, paymentId)) return;
  const payment = await ctx.provider.findPayment(paymentId);
  if (!payment || !(payment.captured || payment.refunded)) return;
  try {
    await creditOrder(ctx, payment.orderId, payment);
  } catch (error) {
    // The payment is an exception now; what goes back of it is told beside it.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}
