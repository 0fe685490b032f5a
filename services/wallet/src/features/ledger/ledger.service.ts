/** Reading one's wallet, and the debit that other services ask for. */
import type { walletRpc } from '@karaar/contracts/wallet/rpc';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { invalid, notFound } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { balanceOf, debit, movementsOf, type Movement } from './ledger.repository.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A wallet that never moved was last updated now: its balance is 0 as of this answer. */
export async function getBalance(
  ctx: Context,
  userId: string,
): Promise<{ balancePaise: number; updatedAt: Date }> {
  const { balancePaise, updatedAt } = await balanceOf(ctx.db, userId);
  return { balancePaise, updatedAt: updatedAt ?? new Date() };
}

/** Newest first; `cursor` is the last id of the page before. Throws 422 for a cursor that is none. */
export function listMovements(
  ctx: Context,
  userId: string,
  page: { cursor?: string | undefined; limit?: number | undefined },
): Promise<Movement[]> {
  if (page.cursor !== undefined && !UUID.test(page.cursor)) {
    throw invalid([{ loc: 'cursor', msg: 'is not the id of a transaction' }]);
  }
  return movementsOf(ctx.db, userId, { before: page.cursor, limit: page.limit ?? 100 });
}

/** Debits once per idempotency key. Throws 402 on too small a balance, 409 on a reused key. */
export async function debitWallet(
  ctx: Context,
  request: RpcRequest<typeof walletRpc.debit>,
): Promise<RpcResponse<typeof walletRpc.debit>> {
  if (!UUID.test(request.user_id)) throw notFound('user_not_found', 'This user has no wallet.');
  const moved = await debit(ctx.db, {
    idempotencyKey: request.idempotency_key,
    userId: request.user_id,
    amountPaise: request.amount_paise,
    description: request.description,
    reference: request.reference,
  });
  ctx.outbox.poke();
  return { transfer_id: moved.transferId, balance_paise: moved.balancePaise };
}
