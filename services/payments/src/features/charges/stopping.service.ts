/**
 * The effect of leaving a document on its charge: a paid share prevents it; otherwise the shares must be set
 * up again.
 */
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import type { paymentsRpc } from '@karaar/contracts/payments/rpc';
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import {
  cancelUnstarted,
  dropDistribution,
  findDistribution,
  livePayments,
  lockCharge,
  stopCharge,
  type PaymentRow,
} from './charges.repository.ts';

type Taken = RpcResponse<typeof paymentsRpc.stopCharge>['taken'];

/** Rolls the transaction back because a share is paid or being paid. */
class ShareTaken extends Error {
  readonly taken: Taken;
  constructor(taken: Taken) {
    super('a share is taken');
    this.taken = taken;
  }
}

const takenBy = ({ user_id, amount_paise, status }: PaymentRow): Taken[number] => ({
  user_id,
  amount_paise,
  state: status === 'completed' ? 'paid' : 'running',
});

/**
 * Returns the share of the party to be removed: no other party could pay it, and the document would never be
 * paid.
 */
async function shareOf(
  tx: Tx<Database>,
  documentId: string,
  userId: string,
  live: PaymentRow[],
): Promise<Taken> {
  const begun = live.filter((payment) => payment.user_id === userId && payment.started_at !== null);
  if (begun.length > 0) return begun.map(takenBy);
  const distribution = await findDistribution(tx, documentId);
  return (distribution?.shares ?? [])
    .filter((share) => share.userId === userId && share.amountPaise > 0)
    .map((share) => ({ user_id: userId, amount_paise: share.amountPaise, state: 'open' }));
}

/**
 * Stops the charge for a party who wants to leave: snapshots of this document version become stale, and
 * opened payments end. If a share is paid or being paid, it only returns these shares.
 */
export async function stopCharging(
  ctx: Context,
  { document_id: documentId, version, removed }: RpcRequest<typeof paymentsRpc.stopCharge>,
): Promise<{ taken: Taken }> {
  try {
    await inTransaction(ctx.db, async (tx) => {
      await lockCharge(tx, documentId);
      if (removed === undefined) await cancelUnstarted(tx, documentId);
      const live = await livePayments(tx, documentId);
      const taken = removed === undefined ? live.map(takenBy) : await shareOf(tx, documentId, removed, live);
      if (taken.length > 0) throw new ShareTaken(taken);
      await stopCharge(tx, documentId, version);
    });
    return { taken: [] };
  } catch (error) {
    if (error instanceof ShareTaken) return { taken: error.taken };
    throw error;
  }
}

/**
 * Removes the shares from before a party left, which made the document's version `version`. Later shares
 * stay.
 */
export async function forgetShares(
  ctx: Pick<Context, 'logger'>,
  tx: Tx<Database>,
  { documentId, version }: { documentId: string; version: number },
): Promise<void> {
  await lockCharge(tx, documentId);
  await stopCharge(tx, documentId, version - 1);
  const distribution = await findDistribution(tx, documentId);
  if (!distribution || distribution.document_version >= version) return;
  await cancelUnstarted(tx, documentId);
  if ((await livePayments(tx, documentId)).length > 0) {
    // Cannot happen after the charge was stopped. Paid shares are kept in any case.
    ctx.logger.error({ documentId }, 'a party has left a document of which a share is paid');
    return;
  }
  await dropDistribution(tx, documentId);
}
