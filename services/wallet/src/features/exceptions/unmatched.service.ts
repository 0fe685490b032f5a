/** Turns payments, refunds and disputes that match no order of ours into exceptions. */
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import type { ProviderDispute, ProviderPayment, ProviderRefund } from '../provider/card-provider.ts';
import { noteWebhook } from '../provider/webhooks.repository.ts';
import { settleCardRefund } from './card-refunds.repository.ts';
import { userOfOrder } from './exceptions.repository.ts';
import { noteDifference, settleItself } from './record.service.ts';

/** The ledger is in rupees; money of another currency is listed and not booked. */
const CURRENCY = 'INR';

/**
 * Records a captured payment that cannot be credited.
 * @param cause the code of the refusal
 */
export async function noteUncredited(
  ctx: Context,
  payment: ProviderPayment,
  cause: string,
  webhookEventId?: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    const orderId = payment.orderId || null;
    await noteDifference(tx, {
      kind: 'payment_uncredited',
      subject: payment.id,
      cause,
      amountPaise: payment.amountPaise,
      bookPaise: payment.currency === CURRENCY ? payment.amountPaise : 0,
      paymentId: payment.id,
      orderId,
      userId: await userOfOrder(tx, orderId),
    });
  });
}

/** Records a refund of a payment that credited no wallet: made in the dashboard, or decided by two admins. */
export async function noteUnmatchedRefund(tx: Tx<Database>, refund: ProviderRefund): Promise<void> {
  if (refund.receipt !== null && (await settleCardRefund(tx, refund.receipt, refund))) return;
  if (refund.status === 'failed') return settleItself(tx, 'refund_unmatched', refund.id);
  await noteDifference(tx, {
    kind: 'refund_unmatched',
    subject: refund.id,
    cause: 'payment_not_found',
    amountPaise: refund.amountPaise,
    bookPaise: -refund.amountPaise,
    paymentId: refund.paymentId,
  });
}

/** Records a dispute of a payment that credited no wallet; its money is gone only if we lose. */
export async function noteUnmatchedDispute(tx: Tx<Database>, dispute: ProviderDispute): Promise<void> {
  if (dispute.status === 'won') return settleItself(tx, 'dispute_unmatched', dispute.id);
  await noteDifference(tx, {
    kind: 'dispute_unmatched',
    subject: dispute.id,
    cause: 'payment_not_found',
    amountPaise: dispute.amountPaise,
    bookPaise: dispute.status === 'lost' ? -dispute.amountPaise : 0,
    paymentId: dispute.paymentId,
  });
}

/**
 * Records the part of a refund or a lost dispute that the wallet did not hold. The caller has booked it to
 * the shortfall.
 */
export async function noteShortfall(
  tx: Tx<Database>,
  short: {
    subject: string;
    cause: 'refund' | 'dispute';
    paymentId: string;
    orderId: string;
    userId: string;
    paise: number;
  },
): Promise<void> {
  const { paise, ...about } = short;
  await noteDifference(tx, { kind: 'wallet_short', ...about, amountPaise: paise, bookPaise: 0 });
}
