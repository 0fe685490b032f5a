/**
 * Refunds of top-ups that an admin makes. The money leaves the wallet in the transaction that records the
 * refund, so that it cannot be spent while the provider handles the refund (`carry-out.service.ts`).
 */
import { adminActs } from '@karaar/contracts/admin';
import { recordAct } from '@karaar/bus/admin-acts';
import { inTransaction, isUuid, uuidv7 } from '@karaar/db';
import { AppError, invalid } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { paiseOf } from '../ledger/amounts.ts';
import { balanceOf, takeBack } from '../ledger/ledger.repository.ts';
import { publishRefund } from '../topup/card-events.ts';
import { carryOut } from './carry-out.service.ts';
import { beyondPayment, otherRefund, paymentNotFound, walletTooSmall } from './refunds.errors.ts';
import {
  findByKey,
  findRefund,
  insertRefund,
  listRefundRows,
  lockPaidOrder,
  refundedPaise,
  type RefundRow,
} from './refunds.repository.ts';

export type RefundRequest = { paymentId: string; amount: number; reason: string; idempotencyKey: string };

/**
 * Records a refund and requests it from the provider. Repeating it with its key returns the same refund in
 * its present state. While the provider is down the refund stays pending, with the money out of the wallet.
 * @throws 404 for a payment that credited no wallet, 409 beyond the rest of the payment or the balance, or
 * for a key of another refund; 422 for more than two decimals
 */
export async function createRefund(
  ctx: Context,
  adminId: string,
  request: RefundRequest,
): Promise<RefundRow> {
  const amountPaise = paiseOf(request.amount);
  const opened = await inTransaction(ctx.db, async (tx) => {
    const order = await lockPaidOrder(tx, request.paymentId);
    if (!order) throw paymentNotFound();
    const known = await findByKey(tx, request.idempotencyKey);
    if (known) return { refund: known, isNew: false };
    const leftPaise = order.amount_paise - (await refundedPaise(tx, request.paymentId));
    if (amountPaise > leftPaise) throw beyondPayment(leftPaise);
    const { balancePaise } = await balanceOf(tx, order.user_id);
    if (amountPaise > balancePaise) throw walletTooSmall(balancePaise);
    const id = uuidv7();
    const refund = await insertRefund(tx, {
      id,
      idempotency_key: request.idempotencyKey,
      order_id: order.id,
      payment_id: request.paymentId,
      user_id: order.user_id,
      amount_paise: amountPaise,
      reason: request.reason,
      admin_id: adminId,
    });
    try {
      await takeBack(tx, {
        idempotencyKey: `refund:${id}`,
        userId: order.user_id,
        amountPaise,
        description: 'Refund to card',
        reference: order.id,
      });
    } catch (error) {
      // The money was spent after the balance was read. The ledger's refusal of the key is rolled back with
      // the refund.
      if (error instanceof AppError && error.code === 'insufficient_balance')
        throw walletTooSmall((await balanceOf(tx, order.user_id)).balancePaise);
      throw error;
    }
    await publishRefund(ctx, tx, refund);
    await recordAct(ctx.outbox, tx, adminActs.wallet, {
      adminId,
      action: 'refund.made',
      targetId: request.paymentId,
      target: `₹${request.amount.toFixed(2)}`,
      reason: request.reason,
    });
    return { refund, isNew: true };
  });
  const { refund, isNew } = opened;
  if (refund.payment_id !== request.paymentId || refund.amount_paise !== amountPaise) throw otherRefund();
  ctx.outbox.wake();
  // A repeated call must not call the provider in parallel with the first one.
  if (isNew) await carryOut(ctx, refund);
  return findRefund(ctx.db, refund.id);
}

/** Returns a page of refunds, newest first. Throws 422 for an invalid cursor. */
export async function listRefunds(
  ctx: Context,
  page: { payment_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<RefundRow[]> {
  if (page.cursor !== undefined && !isUuid(page.cursor)) {
    throw invalid([{ loc: 'cursor', msg: 'is not the id of a refund' }]);
  }
  return listRefundRows(ctx.db, {
    paymentId: page.payment_id,
    before: page.cursor,
    limit: page.limit ?? 100,
  });
}
