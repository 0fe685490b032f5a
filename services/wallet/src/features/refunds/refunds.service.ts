/**
 * Refunds of top-ups: the wallet first, the card second. The money leaves the wallet in the transaction that records
 * the refund, so that it cannot be spent while the provider is asked; a refusal of the provider puts it back. What a
 * crash or a lost answer left open is finished by the sweep, which first looks for the refund at the provider.
 */
import { adminActs } from '@karaar/contracts/admin';
import { toPaise } from '@karaar/contracts/charge';
import { recordAct } from '@karaar/platform/admin-acts';
import { inTransaction, uuidv7 } from '@karaar/platform/db-kit';
import { AppError, invalid } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { balanceOf, credit, takeBack } from '../ledger/ledger.repository.ts';
import { tellOfRefund } from '../topup/card-facts.ts';
import { beyondPayment, otherRefund, paymentNotFound, walletTooSmall } from './refunds.errors.ts';
import {
  claimOpenRefunds,
  findByKey,
  findRefund,
  insertRefund,
  listRefundRows,
  lockPaidOrder,
  refundedPaise,
  settleRefund,
  type RefundRow,
} from './refunds.repository.ts';

export type RefundRequest = { paymentId: string; amount: number; reason: string; idempotencyKey: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
    await tellOfRefund(ctx, tx, refund);
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
  if (isNew) await carryOut(ctx, refund, 'first');
  return findRefund(ctx.db, refund.id);
}

/** Newest first. Throws 422 for a cursor that is none. */
export async function listRefunds(
  ctx: Context,
  page: { payment_id?: string | undefined; cursor?: string | undefined; limit?: number | undefined },
): Promise<RefundRow[]> {
  if (page.cursor !== undefined && !UUID.test(page.cursor)) {
    throw invalid([{ loc: 'cursor', msg: 'is not the id of a refund' }]);
  }
  return listRefundRows(ctx.db, {
    paymentId: page.payment_id,
    before: page.cursor,
    limit: page.limit ?? 100,
  });
}

/** Finishes refunds that were left in the middle. @returns how many were looked at */
export async function sweepRefunds(ctx: Context, signal?: AbortSignal): Promise<number> {
  const open = await claimOpenRefunds(ctx.db, 20);
  for (const refund of open) {
    if (signal?.aborted) break;
    await carryOut(ctx, refund, 'again');
  }
  return open.length;
}

/**
 * Asks the provider, unless it has this refund already, and records the outcome. A fault of the provider or of the way
 * to it leaves the refund pending.
 */
async function carryOut(ctx: Context, refund: RefundRow, attempt: 'first' | 'again'): Promise<void> {
  try {
    const known =
      attempt === 'again' ? await ctx.provider.findRefund(refund.payment_id, refund.id) : undefined;
    const taken = known ?? (await ctx.provider.refund(refund.payment_id, refund.amount_paise, refund.id));
    await inTransaction(ctx.db, async (tx) => {
      const settled = await settleRefund(tx, refund.id, {
        status: 'processed',
        providerRefundId: taken.id,
      });
      if (settled) await tellOfRefund(ctx, tx, settled);
    });
    ctx.outbox.poke();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return putBack(ctx, refund);
    ctx.logger.warn({ err: error, refundId: refund.id }, 'a refund is still open; it is tried again');
  }
}

/** The provider refused for good: the money returns to the wallet, once. */
async function putBack(ctx: Context, refund: RefundRow): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const settled = await settleRefund(tx, refund.id, { status: 'failed' });
    if (!settled) return;
    await tellOfRefund(ctx, tx, settled);
    await credit(tx, {
      idempotencyKey: `refund-back:${refund.id}`,
      userId: refund.user_id,
      amountPaise: refund.amount_paise,
      description: 'Refund to card not possible',
      reference: refund.order_id,
    });
  });
  ctx.outbox.poke();
}

function paiseOf(amount: number): number {
  try {
    return toPaise(amount);
  } catch {
    throw invalid([{ loc: 'amount', msg: 'Please enter a valid amount' }]);
  }
}
