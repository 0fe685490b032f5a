import { AppError } from '@karaar/base/errors';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { isAnswered, noteDifference, settleItself } from '../exceptions/record.service.ts';
import type { ProviderPayment } from '../provider/card-provider.ts';
import type { OrderRow } from '../topup/topup.repository.ts';
import { creditOrder } from '../topup/topup.service.ts';
import { capturedFor, markCompared, ordersPaidBy, withException } from './books.repository.ts';

const broughtIn = (payment: ProviderPayment | undefined): number =>
  payment && (payment.captured || payment.refunded) ? payment.amountPaise : 0;

/**
 * Compares a page of the provider's payments: a captured payment without a credit is credited now, or becomes
 * an exception.
 */
export async function comparePayments(ctx: Context, page: readonly ProviderPayment[]): Promise<void> {
  const ids = page.map(({ id }) => id);
  const ours = await ordersPaidBy(ctx.db, ids);
  const open = await withException(ctx.db, ids, ['payment_missing']);
  const equal: string[] = [];
  for (const payment of page) {
    const order = ours.get(payment.id);
    if (!order) {
      if (broughtIn(payment) > 0) await creditOrNote(ctx, payment);
      continue;
    }
    if (await compareOrder(ctx, order, payment, open.has(payment.id))) equal.push(order.id);
  }
  await markCompared(ctx.db, 'top_up_orders', equal);
}

/**
 * Compares a top-up of ours with the provider's payment, undefined if the provider has none.
 * @param isOpen true if an exception of it is open
 * @returns true if nothing is left to compare: both are equal, or admins have decided
 */
export async function compareOrder(
  ctx: Context,
  order: OrderRow,
  payment: ProviderPayment | undefined,
  isOpen: boolean,
): Promise<boolean> {
  const id = order.payment_id ?? '';
  const [theirs, ours] = [broughtIn(payment), capturedFor(order)];
  if (theirs === ours && !isOpen) return true;
  return inTransaction(ctx.db, async (tx) => {
    if (theirs === ours) {
      await settleItself(tx, 'payment_missing', id);
      return true;
    }
    await noteDifference(tx, {
      kind: 'payment_missing',
      subject: id,
      cause: causeOf(payment),
      amountPaise: Math.abs(ours - theirs),
      bookPaise: theirs - ours,
      paymentId: id,
      orderId: order.id,
      userId: order.user_id,
    });
    return isAnswered(tx, 'payment_missing', id);
  });
}

const causeOf = (payment: ProviderPayment | undefined): string => {
  if (!payment) return 'payment_not_found';
  return broughtIn(payment) > 0 ? 'amount_differs' : 'payment_not_captured';
};

async function creditOrNote(ctx: Context, payment: ProviderPayment): Promise<void> {
  try {
    await creditOrder(ctx, payment.orderId, payment);
  } catch (error) {
    // `creditOrder` has recorded an exception if the payment fits no order; a fault of ours ends the run.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  }
}
