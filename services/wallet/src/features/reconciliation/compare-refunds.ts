import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { isAnswered, noteDifference, settleItself } from '../exceptions/record.service.ts';
import { applyRefund } from '../refunds/provider-refunds.service.ts';
import type { RefundRow } from '../refunds/refunds.repository.ts';
import type { ProviderRefund } from '../provider/card-provider.ts';
import { creditFirst } from '../topup/credit-first.ts';
import { markCompared, refundsNamed, withException } from './books.repository.ts';

const KINDS = ['refund_differs', 'refund_missing'] as const;

/** Applies a page of the provider's refunds to our books; remaining differences become exceptions. */
export async function compareRefunds(ctx: Context, page: readonly ProviderRefund[]): Promise<void> {
  const ids = page.map(({ id }) => id);
  const before = await refundsNamed(ctx.db, ids);
  for (const refund of page) {
    const ours = before.get(refund.id);
    if (ours?.status === refund.status && ours.amount_paise === refund.amountPaise) continue;
    await creditFirst(ctx, refund.paymentId);
    await applyRefund(ctx, refund);
  }
  const after = await refundsNamed(ctx.db, ids);
  const open = await withException(ctx.db, ids, KINDS);
  const equal: string[] = [];
  for (const refund of page) {
    const ours = after.get(refund.id);
    if (ours && (await compareRefund(ctx, ours, refund, open.has(refund.id)))) equal.push(ours.id);
  }
  await markCompared(ctx.db, 'refunds', equal);
}

const tookOut = (status: string | undefined, paise: number): number =>
  status === undefined || status === 'failed' ? 0 : paise;

/**
 * Compares a refund of ours with the provider's, undefined if the provider has none.
 * @param isOpen true if an exception of it is open
 * @returns true if nothing is left to compare: both are equal, or admins have decided
 */
export async function compareRefund(
  ctx: Context,
  ours: RefundRow,
  theirs: ProviderRefund | undefined,
  isOpen: boolean,
): Promise<boolean> {
  const id = ours.provider_refund_id ?? '';
  const beyond = tookOut(ours.status, ours.amount_paise) - tookOut(theirs?.status, theirs?.amountPaise ?? 0);
  if (beyond === 0 && !isOpen) return true;
  const kind = theirs ? 'refund_differs' : 'refund_missing';
  return inTransaction(ctx.db, async (tx) => {
    for (const other of KINDS) if (beyond === 0 || other !== kind) await settleItself(tx, other, id);
    if (beyond === 0) return true;
    await noteDifference(tx, {
      kind,
      subject: id,
      cause: theirs ? `provider_${theirs.status}` : 'refund_not_found',
      amountPaise: Math.abs(beyond),
      bookPaise: beyond,
      paymentId: ours.payment_id,
      orderId: ours.order_id,
      userId: ours.user_id,
    });
    return isAnswered(tx, kind, id);
  });
}
