/**
 * Card top-ups: one order, one payment, one credit, by whichever of checkout, webhook and reconciler comes
 * first.
 */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { toRupees } from '@karaar/contracts/charge';
import { inTransaction, uuidv7 } from '@karaar/db';
import { AppError } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { isAnswered, settleItself } from '../exceptions/record.service.ts';
import { noteUncredited } from '../exceptions/unmatched.service.ts';
import { paiseOf } from '../ledger/amounts.ts';
import { credit, moveInside } from '../ledger/ledger.repository.ts';
import type { ProviderPayment } from '../provider/card-provider.ts';
import { publishOrder } from './card-events.ts';
import { feeOnTop } from '../provider/fee-on-top.ts';
import { noteWebhook } from '../provider/webhooks.repository.ts';
import {
  alreadyCredited,
  amountDiffers,
  orderNotFound,
  otherPayment,
  ownerGone,
  paymentDecided,
  paymentNotCaptured,
  paymentUnchecked,
  receiptNotCredited,
  signatureWrong,
} from './topup.errors.ts';
import {
  findOrder,
  insertOrder,
  lockOrder,
  markAnswered,
  markFailed,
  markPaid,
  recentOrders,
  type OrderRow,
} from './topup.repository.ts';
import { waitingOf, type Waiting } from './waiting.ts';

export type Credited = { balancePaise: number; replayed: boolean };

/** Opens an order at the provider. Throws 422 for more than two decimals, 503 if the provider is down. */
export async function createOrder(ctx: Context, userId: string, amount: number): Promise<OrderRow> {
  const amountPaise = paiseOf(amount);
  const order = await ctx.provider.createOrder(amountPaise, uuidv7());
  return inTransaction(ctx.db, async (tx) => {
    const row = await insertOrder(tx, { id: order.id, userId, amountPaise, currency: order.currency });
    await publishOrder(ctx, tx, row);
    return row;
  });
}

/** Returns an order of the caller. Throws 404 for an unknown order and for another user's. */
export async function requireOrder(ctx: Context, userId: string, orderId: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, orderId);
  if (order?.user_id !== userId) throw orderNotFound();
  return order;
}

/** Returns the user's top-ups that are not in the wallet yet, newest first. */
export const listWaiting = async (ctx: Context, userId: string): Promise<Waiting<OrderRow>[]> =>
  waitingOf(await recentOrders(ctx.db, userId), Date.now());

/**
 * Credits the order of a checkout if the signature is valid and the provider confirms the capture, which the
 * signature does not prove. Repeating it returns the same result.
 * @throws 400 for a wrong signature, 409 for a payment that is not captured, 503 while the provider is down;
 * in the last two cases the order is credited later without the browser
 */
export async function verifyCheckout(
  ctx: Context,
  userId: string,
  answer: { orderId: string; paymentId: string; signature: string },
): Promise<Credited> {
  const order = await requireOrder(ctx, userId, answer.orderId);
  if (!ctx.provider.isCheckoutSignature(answer.orderId, answer.paymentId, answer.signature))
    throw signatureWrong();
  const payment = await ctx.provider.findPayment(answer.paymentId).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 503) throw error;
    await markAnswered(ctx.db, order.id);
    throw paymentUnchecked(error);
  });
  if (payment?.orderId !== order.id) throw signatureWrong();
  // For a paid order the answer stays the same, even after a refund to the card.
  if (!payment.captured && order.payment_id !== payment.id) {
    if (payment.authorized) await markAnswered(ctx.db, order.id);
    throw paymentNotCaptured();
  }
  return creditOrder(ctx, order.id, payment);
}

/** Credits a captured payment of the caller that no callback has credited. Throws 404 or 409 otherwise. */
export async function addFunds(
  ctx: Context,
  userId: string,
  input: { amount: number; receipt: string },
): Promise<Credited> {
  const amountPaise = paiseOf(input.amount);
  const payment = await ctx.provider.findPayment(input.receipt);
  if (!payment?.captured) throw receiptNotCredited();
  const order = await findOrder(ctx.db, payment.orderId);
  if (order?.user_id !== userId) throw receiptNotCredited();
  // The payer may enter the order's amount, or the bank's with the provider's fee on top.
  if (amountPaise !== order.amount_paise && amountPaise !== payment.amountPaise) throw amountDiffers();
  const credited = await creditOrder(ctx, order.id, payment);
  if (credited.replayed) throw alreadyCredited();
  return credited;
}

/**
 * Credits an order by a captured payment, once per payment id. The ledger's key and the order's row lock make
 * verify, webhook and reconciler race safely. Throws 404 or 409 for a payment that does not fit its order,
 * which then becomes an exception, and 409 if two admins have decided about it.
 * @param webhookEventId the provider's event, which is recorded with the credit
 */
export async function creditOrder(
  ctx: Context,
  orderId: string,
  payment: ProviderPayment,
  webhookEventId?: string,
): Promise<Credited> {
  try {
    await requireOwner(ctx, orderId);
    return await creditOnce(ctx, orderId, payment, webhookEventId);
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && error.code !== 'payment_decided')
      await noteUncredited(ctx, payment, error.code, webhookEventId);
    throw error;
  }
}

/** The account of a younger order cannot have been deleted (`findBlockers`). */
const YOUNG_MS = 10 * 60_000;

async function requireOwner(ctx: Context, orderId: string): Promise<void> {
  const order = await findOrder(ctx.db, orderId);
  if (!order || order.status === 'paid' || Date.now() - order.created_at.getTime() < YOUNG_MS) return;
  const { user } = await ctx.bus.request(authRpc.findUser, { user_id: order.user_id });
  if (!user) throw ownerGone();
}

async function creditOnce(
  ctx: Context,
  orderId: string,
  payment: ProviderPayment,
  webhookEventId?: string,
): Promise<Credited> {
  return inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    const order = await lockOrder(tx, orderId);
    if (!order) throw orderNotFound();
    if (order.payment_id !== null && order.payment_id !== payment.id) throw otherPayment();
    const feePaise = feeOf(order, payment);
    if (feePaise === undefined || payment.currency !== order.currency) throw amountDiffers();
    if (await isAnswered(tx, 'payment_uncredited', payment.id)) throw paymentDecided();
    await settleItself(tx, 'payment_uncredited', payment.id);
    const moved = await credit(tx, {
      idempotencyKey: `razorpay:${payment.id}`,
      userId: order.user_id,
      amountPaise: order.amount_paise,
      description: describe(feePaise),
      reference: order.id,
    });
    if (feePaise > 0) {
      await moveInside(tx, {
        idempotencyKey: `razorpay-fee:${payment.id}`,
        from: 'clearing',
        to: 'cardFees',
        amountPaise: feePaise,
        description: 'Fee of the card provider, paid on top',
        reference: order.id,
      });
    }
    if (order.status !== 'paid')
      await publishOrder(ctx, tx, await markPaid(tx, order.id, { paymentId: payment.id, feePaise }));
    return moved;
  });
}

/**
 * Returns the amount paid on top for the provider's fee, or undefined if the payment does not fit. A paid
 * order has it stored.
 */
function feeOf(order: OrderRow, payment: ProviderPayment): number | undefined {
  if (order.status !== 'paid') return feeOnTop(order.amount_paise, payment);
  return payment.amountPaise === order.amount_paise + order.fee_paise ? order.fee_paise : undefined;
}

/** Returns the description in the payer's history, which explains the bank's amount. */
const describe = (feePaise: number): string =>
  feePaise === 0
    ? 'Wallet top-up'
    : `Wallet top-up, card fee of ₹${toRupees(feePaise).toFixed(2)} paid on top`;

/** Marks an order as failed; a later successful attempt still counts. */
export const failOrder = (ctx: Context, orderId: string, webhookEventId?: string): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    const failed = await markFailed(tx, orderId);
    if (failed) await publishOrder(ctx, tx, failed);
  });
