import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { DisputeRow } from '../disputes/disputes.repository.ts';
import { applyDispute } from '../disputes/disputes.service.ts';
import { isAnswered, noteDifference, settleItself } from '../exceptions/record.service.ts';
import type { ProviderDispute } from '../provider/card-provider.ts';
import { creditFirst } from '../topup/credit-first.ts';
import { disputesNamed, markCompared, withException } from './books.repository.ts';

const KINDS = ['dispute_differs', 'dispute_missing'] as const;

/** Applies a page of the provider's disputes to our books; remaining differences become exceptions. */
export async function compareDisputes(ctx: Context, page: readonly ProviderDispute[]): Promise<void> {
  const ids = page.map(({ id }) => id);
  const before = await disputesNamed(ctx.db, ids);
  for (const dispute of page) {
    const ours = before.get(dispute.id);
    if (ours?.status === dispute.status && ours.amount_paise === dispute.amountPaise) continue;
    await creditFirst(ctx, dispute.paymentId);
    await applyDispute(ctx, dispute);
  }
  const after = await disputesNamed(ctx.db, ids);
  const open = await withException(ctx.db, ids, KINDS);
  const equal: string[] = [];
  for (const dispute of page) {
    const ours = after.get(dispute.id);
    if (ours && (await compareDispute(ctx, ours, dispute, open.has(dispute.id)))) equal.push(ours.id);
  }
  await markCompared(ctx.db, 'disputes', equal);
}

/** Only a lost dispute takes money out of the books. */
const tookOut = (status: string | undefined, paise: number): number => (status === 'lost' ? paise : 0);

/**
 * Compares a dispute of ours with the provider's, undefined if the provider has none.
 * @param isOpen true if an exception of it is open
 * @returns true if nothing is left to compare: both are equal, or admins have decided
 */
export async function compareDispute(
  ctx: Context,
  ours: DisputeRow,
  theirs: ProviderDispute | undefined,
  isOpen: boolean,
): Promise<boolean> {
  const beyond = tookOut(ours.status, ours.amount_paise) - tookOut(theirs?.status, theirs?.amountPaise ?? 0);
  // An open dispute holds money of a wallet, so it is a difference if the provider does not know it.
  const equal = theirs !== undefined && beyond === 0 && ours.amount_paise === theirs.amountPaise;
  if (equal && !isOpen) return true;
  const kind = theirs ? 'dispute_differs' : 'dispute_missing';
  return inTransaction(ctx.db, async (tx) => {
    for (const other of KINDS) if (equal || other !== kind) await settleItself(tx, other, ours.id);
    if (equal) return true;
    await noteDifference(tx, {
      kind,
      subject: ours.id,
      cause: theirs ? `provider_${theirs.status}` : 'dispute_not_found',
      amountPaise: ours.amount_paise,
      bookPaise: beyond,
      paymentId: ours.payment_id,
      orderId: ours.order_id,
      userId: ours.user_id,
    });
    return isAnswered(tx, kind, ours.id);
  });
}
