import { isUuid } from '@karaar/db';
import { authRpc } from '@karaar/contracts/auth/rpc';
import type { Language } from '@karaar/contracts/limits';
import type { Context } from '../../context.ts';
import { notYours, paymentNotFound, paymentReversed } from '../charges/charges.errors.ts';
import { findDistribution, findPayment } from '../charges/charges.repository.ts';
import { receiptSheet } from './receipt.ts';
import { notPaid } from './receipts.errors.ts';

/**
 * Returns the receipt of a completed payment of the caller as PDF: in English, then in the requested
 * language, by default the account's.
 * @throws 404 for an unknown payment, 403 for another user's, 409 if it is not completed or was reversed, 503
 * while auth or documents is down
 */
export async function printReceipt(
  ctx: Context,
  caller: { userId: string; charId: string },
  { id, language }: { id: string; language?: Language | undefined },
): Promise<Buffer> {
  const payment = isUuid(id) ? await findPayment(ctx.db, id) : undefined;
  if (!payment) throw paymentNotFound();
  if (payment.user_id !== caller.userId) throw notYours();
  if (payment.status === 'reversed') throw paymentReversed();
  if (payment.status !== 'completed' || payment.transfer_id === null) throw notPaid();
  const distribution = await findDistribution(ctx.db, payment.document_id);
  const share = distribution?.shares.find(({ userId }) => userId === caller.userId);
  const { user } = await ctx.bus.request(authRpc.findUser, { user_id: caller.userId });
  const receipt = {
    paymentId: payment.id,
    documentName: payment.document_name,
    payer: { name: user?.name ?? 'Unknown User', charId: caller.charId },
    amountPaise: payment.amount_paise,
    share: distribution &&
      share && {
        percentage: share.percentage,
        totalPaise: distribution.total_paise,
        days: distribution.duration_days,
      },
    transferId: payment.transfer_id,
    paidAt: payment.completed_at ?? payment.created_at,
    issuer: ctx.config,
  };
  return ctx.print(receiptSheet(receipt, language ?? user?.language ?? 'en'));
}
