/**
 * Refunds of top-ups that an admin makes: the wallet first, the card second. The money leaves the wallet in the
 * transaction that records the refund, so that it cannot be spent while the provider is asked (`carry-out.service.ts`).
 */
import { adminActs } from '@karaar/contracts/admin';
import { recordAct } from '@karaar/platform/admin-acts';
import { inTransaction, isUuid, uuidv7 } from '@karaar/platform/db-kit';
import { AppError, invalid } from '@karaar/platform/errors';
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
 * Records a refund and asks the provider for it. Repeating it with its key answers the same refund as it stands.
 * A provider that is away leaves it pending: the money is out of the wallet and on its way.
 *
 * @throws 404 for a payment that credited nobody, 409 beyond what is left of the payment or in the wallet, or for a
 *   key of another refund; 422 for more than two decimals
 */
export async function createRefund(ctx: Context, adminId: string, asked: RefundRequest): Promise<RefundRow> {
  const amountPaise = paiseOf(asked.amount);
  const opened = await inTransaction(ctx.db, async (tx) => {
    const order = await lockPaidOrder(tx, asked.paymentId);
    if (!order) throw paymentNotFound();
    const known = await findByKey(tx, asked.idempotencyKey);
    if (known) return { refund: known, isNew: false };
    const leftPaise = order.amount_paise - (await refundedPaise(tx, asked.paymentId));
    if (amountPaise > leftPaise) throw beyondPayment(leftPaise);
    const { balancePaise } = await balanceOf(tx, order.user_id);
    if (amountPaise > balancePaise) throw walletTooSmall(balancePaise);
    const id = uuidv7();
    const refund = await insertRefund(tx, {
      id,
      idempotency_key: asked.idempotencyKey,
      order_id: order.id,
      payment_id: asked.paymentId,
      user_id: order.user_id,
      amount_paise: amountPaise,
      reason: asked.reason,
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
      // Spent since the balance was read. The refusal is not kept: its transaction is rolled back with the refund.
      if (error instanceof AppError && error.code === 'insufficient_balance')
        throw walletTooSmall((await balanceOf(tx, order.user_id)).balancePaise);
      throw error;
    }
    await publishRefund(ctx, tx, refund);
    await recordAct(ctx.outbox, tx, adminActs.wallet, {
      adminId,
      action: 'refund.made',
      targetId: asked.paymentId,
      target: `₹${asked.amount.toFixed(2)}`,
      reason: asked.reason,
    });
    return { refund, isNew: true };
  });
  const { refund, isNew } = opened;
  if (refund.payment_id !== asked.paymentId || refund.amount_paise !== amountPaise) throw otherRefund();
  ctx.outbox.poke();
  // A repeated call must not ask the provider beside the first one, which may still be waiting for its answer.
  if (isNew) await carryOut(ctx, refund);
  return findRefund(ctx.db, refund.id);
}

/** Newest first. Throws 422 for an invalid cursor. */
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
