/** Returns a page of the export of a user's payments. This service erases nothing. */
import type { WordedBlocker } from '@karaar/contracts/auth/deletion-blocker';
import { toRupees } from '@karaar/contracts/charge';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type deletionRpc, type exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { hasOpenReversal, hasStartedPayment, paymentsPage } from './personal-data.repository.ts';

export async function exportPage(
  ctx: Context,
  { user_id, cursor }: RpcRequest<typeof exportRpc.payments>,
): Promise<RpcResponse<typeof exportRpc.payments>> {
  const payments = await paymentsPage(ctx.db, user_id, cursor, EXPORT_PAGE);
  return {
    items: payments.map((payment) => ({
      at: payment.created_at.toISOString(),
      document: payment.document_name,
      amount: toRupees(payment.amount_paise),
      status: payment.status,
      reversed_because: payment.reversal_reason,
    })),
    next_cursor: payments.length < EXPORT_PAGE ? null : (payments.at(-1)?.id ?? null),
  };
}

const PAYING: WordedBlocker = {
  code: 'payment_under_way',
  text: 'A payment is under way. Wait until it is finished.',
};
const RETURNING: WordedBlocker = {
  code: 'reversal_under_way',
  text: 'A payment may be given back to your wallet. Wait until this is decided and the money is there.',
};

export async function findBlockers(
  ctx: Context,
  userId: string,
): Promise<RpcResponse<typeof deletionRpc.payments>> {
  const [paying, returning] = await Promise.all([
    hasStartedPayment(ctx.db, userId),
    hasOpenReversal(ctx.db, userId),
  ]);
  return { blockers: [...(paying ? [PAYING] : []), ...(returning ? [RETURNING] : [])] };
}
