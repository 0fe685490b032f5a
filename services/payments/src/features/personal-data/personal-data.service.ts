/** A person's own data in this service: told for an export, and what holds a deletion up. Nothing here is erased. */
import { toRupees } from '@karaar/contracts/charge';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type deletionRpc, type exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { hasStartedPayment, paymentsPage } from './personal-data.repository.ts';

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
    })),
    next_cursor: payments.length < EXPORT_PAGE ? null : (payments.at(-1)?.id ?? null),
  };
}

export async function findBlockers(
  ctx: Context,
  userId: string,
): Promise<RpcResponse<typeof deletionRpc.payments>> {
  const started = await hasStartedPayment(ctx.db, userId);
  return {
    blockers: started
      ? [{ code: 'payment_under_way', text: 'A payment is under way. Wait until it is finished.' }]
      : [],
  };
}
