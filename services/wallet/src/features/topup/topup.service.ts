/** Card top-ups: one order, one payment, one credit, whichever of its messengers arrives first. */
import { authRpc } from '@karaar/contracts/auth/rpc';
import { toRupees } from '@karaar/contracts/charge';
import { inTransaction, uuidv7 } from '@karaar/platform/db-kit';
import { AppError } from '@karaar/platform/errors';
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
  markFailed,
  markPaid,
  type OrderRow,
} from './topup.repository.ts';

export type Credited = { balancePaise: number; replayed: boolean };

/** Opens an order at the provider. Throws 422 for more than two decimals, 503 when the provider is away. */
export async function createOrder(ctx: Context, userId: string, amount: number): Promise<OrderRow> {
  const amountPaise = paiseOf(amount);
  const order = await ctx.provider.createOrder(amountPaise, uuidv7());
  const opened = await inTransaction(ctx.db, async (tx) => {
    const row = await insertOrder(tx, { id: order.id, userId, amountPaise, currency: order.currency });
    await publishOrder(ctx, tx, row);
    return row;
  });
  ctx.outbox.poke();
  return opened;
}

/** An order of the caller; another user's order is as unknown as one that does not exist. */
export async function requireOrder(ctx: Context, userId: string, orderId: string): Promise<OrderRow> {
  const order = await findOrder(ctx.db, orderId);
  if (order?.user_id !== userId) throw orderNotFound();
  return order;
}

/**
 * What the checkout returned: credits when the signature is the provider's and the provider says that the payment is
 * captured: the signature alone does not prove that the payment is captured. Repeating it answers the same.
 *
 * @throws 400 for another signature, 409 for a payment that has not arrived, 503 when the provider cannot be asked; in the
 *   last two cases the order is credited later without the browser
 */
export async function verifyCheckout(
  ctx: Context,
  userId: string,
  answer: { orderId: string; paymentId: string; signature: string },
): Promise<Credited> {
  const order = await requireOrder(ctx, userId, answer.orderId);
  if (!ctx.provider.isCheckoutSignature(answer.orderId, answer.paymentId, answer.signature))
    throw signatureWrong();
  const payment = await ctx.provider.findPayment(answer.paymentId).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 503 ? paymentUnchecked(error) : error;
  });
  if (payment?.orderId !== order.id) throw signatureWrong();
  // A paid order is answered as before, also when its money has gone back to the card since.
  if (!payment.captured && order.payment_id !== payment.id) throw paymentNotCaptured();
  return creditOrder(ctx, order.id, payment);
}

/** Credits a captured payment of the caller that no callback brought in. Throws 404 or 409 otherwise. */
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
  // Payers know what the order said, or what their bank says, with the provider's fee on top.
  if (amountPaise !== order.amount_paise && amountPaise !== payment.amountPaise) throw amountDiffers();
  const credited = await creditOrder(ctx, order.id, payment);
  if (credited.replayed) throw alreadyCredited();
  return credited;
}

/**
 * Credits an order by a captured payment, once per payment id. The ledger's key and the order's row lock
 * make verify, webhook and reconciler race safely. Throws 404 or 409 for a payment that does not fit its order, which is an
 * exception from then on, and 409 for one about which two admins have decided.
 *
 * @param webhookEventId the provider's event that says so; it is noted with the credit
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

/** While an order is young, its account cannot have been deleted (`findBlockers`); later its payment may come after that. */
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
  const credited = await inTransaction(ctx.db, async (tx) => {
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
  ctx.outbox.poke();
  return credited;
}

/** What was paid on top for the provider's fee; undefined for a payment that does not fit. Of a paid order it is known. */
function feeOf(order: OrderRow, payment: ProviderPayment): number | undefined {
  if (order.status !== 'paid') return feeOnTop(order.amount_paise, payment);
  return payment.amountPaise === order.amount_paise + order.fee_paise ? order.fee_paise : undefined;
}

/** As payers find it in their history beside what their bank says. */
const describe = (feePaise: number): string =>
  feePaise === 0
    ? 'Wallet top-up'
    : `Wallet top-up, card fee of ₹${toRupees(feePaise).toFixed(2)} paid on top`;

/** A failed attempt; a later successful one still counts. */
export const failOrder = (ctx: Context, orderId: string, webhookEventId?: string): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    const failed = await markFailed(tx, orderId);
    if (failed) await publishOrder(ctx, tx, failed);
  });
