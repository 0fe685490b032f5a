/**
 * The payment saga: write the intent, ask the wallet to debit under the payment's own key, record the
 * outcome. A crash anywhere leaves a pending payment with an intent, which the sweeper finishes; the key
 * makes the debit happen once however often it is asked for (design §3 Payment saga).
 */
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { walletRpc } from '@karaar/contracts/wallet/rpc';
import { inTransaction } from '@karaar/platform/db-kit';
import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import {
  noShare,
  nothingToPay,
  notSetUp,
  notVerified,
  notYours,
  paymentFailed,
  paymentNotFound,
} from './charges.errors.ts';
import {
  findDistribution,
  findPayment,
  livePayments,
  lockCharge,
  lockPayment,
  markCompleted,
  markFailed,
  markStarted,
  openPayment,
  type PaymentRow,
} from './charges.repository.ts';
import { checkSums, getCharge, isPayable, type ClientSums } from './charges.service.ts';
import { progressOf } from './progress.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Writes the caller's pending payment for a document, or finds the one there is. Moves no money. */
export async function createPayment(ctx: Context, userId: string, documentId: string): Promise<PaymentRow> {
  return preparePayment(ctx, userId, documentId, {});
}

/** Pays the caller's share, once; repeating it answers the same payment. */
export async function pay(
  ctx: Context,
  userId: string,
  documentId: string,
  sums: ClientSums,
): Promise<PaymentRow> {
  return execute(ctx, await preparePayment(ctx, userId, documentId, sums));
}

/** Executes the caller's own pending payment. Throws 404, 403, or 409 for one that failed. */
export async function confirmPayment(ctx: Context, userId: string, id: string): Promise<PaymentRow> {
  const payment = UUID.test(id) ? await findPayment(ctx.db, id) : undefined;
  if (!payment) throw paymentNotFound();
  if (payment.user_id !== userId) throw notYours();
  if (payment.status === 'failed') throw paymentFailed();
  if (payment.status === 'completed') return payment;
  if (!isPayable(await getCharge(ctx, userId, payment.document_id))) throw notVerified();
  return execute(ctx, payment);
}

async function preparePayment(
  ctx: Context,
  userId: string,
  id: string,
  sums: ClientSums,
): Promise<PaymentRow> {
  const charge = await getCharge(ctx, userId, id);
  // As the documents service writes it: the lock below must be one for every spelling of the id.
  const { document_id: documentId } = charge.document;
  const isPrimary = charge.document.primary_user === userId;
  if (!isPrimary && !charge.distribution?.shares.some((share) => share.userId === userId)) throw noShare();
  if (!isPayable(charge)) throw notVerified();
  checkSums(charge, sums);
  return inTransaction(ctx.db, async (tx) => {
    // The distribution is read again behind the lock: it must not change under a payment.
    await lockCharge(tx, documentId);
    const distribution = await findDistribution(tx, documentId);
    if (!distribution) throw notSetUp();
    const share = distribution.shares.find((candidate) => candidate.userId === userId);
    if (!share) throw noShare();
    if (share.amountPaise === 0) throw nothingToPay();
    return openPayment(tx, {
      documentId,
      documentName: charge.document.name,
      userId,
      amountPaise: share.amountPaise,
    });
  });
}

/**
 * Debits and records. A refusal of the wallet (too small a balance) fails the payment; when the outcome is
 * unknown (503) the payment stays pending and the sweeper finds it out.
 */
export async function execute(ctx: Context, payment: PaymentRow): Promise<PaymentRow> {
  if (payment.status === 'completed') return payment;
  if (!(await markStarted(ctx.db, payment.id))) {
    const current = await findPayment(ctx.db, payment.id);
    if (current?.status === 'completed') return current;
    // Cancelled before any money was asked for. One that was refused meanwhile is asked for again below,
    // so that its caller gets the wallet's reason; the wallet goes on refusing its key.
    if (!current?.started_at) throw paymentFailed();
  }
  let transferId: string;
  try {
    const debited = await ctx.bus.request(walletRpc.debit, {
      idempotency_key: `payment:${payment.id}`,
      user_id: payment.user_id,
      amount_paise: payment.amount_paise,
      description: describe(payment.document_name),
      reference: payment.document_id,
    });
    transferId = debited.transfer_id;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await markFailed(ctx.db, payment.id);
    throw error;
  }
  return complete(ctx, payment, transferId);
}

/** At most 200 characters, as the wallet takes them; a character is never cut in half. */
const describe = (documentName: string): string => [...`Payment for ${documentName}`].slice(0, 200).join('');

async function complete(ctx: Context, payment: PaymentRow, transferId: string): Promise<PaymentRow> {
  return inTransaction(ctx.db, async (tx) => {
    await lockCharge(tx, payment.document_id);
    const current = await lockPayment(tx, payment.id);
    if (current?.status === 'completed') return current;
    const completed = await markCompleted(tx, payment.id, transferId);
    const distribution = await findDistribution(tx, payment.document_id);
    const { completed: documentPaid } = progressOf(
      payment.user_id,
      distribution?.shares,
      await livePayments(tx, payment.document_id),
    );
    await ctx.outbox.add(tx, paymentsEvents.paymentCompleted, {
      aggregateId: payment.id,
      aggregateVersion: completed.version,
      data: {
        payment_id: payment.id,
        document_id: payment.document_id,
        user_id: payment.user_id,
        amount_paise: payment.amount_paise,
        document_paid: documentPaid,
      },
    });
    return completed;
  });
}
