/** A person's own data in this service: told for an export, and what holds a deletion up. Nothing here is erased. */
import { toRupees } from '@karaar/contracts/charge';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { EXPORT_PAGE, type deletionRpc, type exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { balanceOf, movementsOf } from '../ledger/ledger.repository.ts';
import { hasOpenTopUp } from './personal-data.repository.ts';

/** Movements, oldest first. */
export async function exportPage(
  ctx: Context,
  { user_id, cursor }: RpcRequest<typeof exportRpc.wallet>,
): Promise<RpcResponse<typeof exportRpc.wallet>> {
  const movements = await movementsOf(ctx.db, user_id, {}, { after: cursor ?? '', limit: EXPORT_PAGE });
  return {
    items: movements.map((movement) => ({
      at: movement.createdAt.toISOString(),
      amount: toRupees(movement.amountPaise),
      balance: toRupees(movement.balancePaise),
      description: movement.description,
    })),
    next_cursor: movements.length < EXPORT_PAGE ? null : (movements.at(-1)?.id ?? null),
  };
}

export async function findBlockers(
  ctx: Context,
  userId: string,
): Promise<RpcResponse<typeof deletionRpc.wallet>> {
  const blockers: { code: string; text: string }[] = [];
  const { balancePaise } = await balanceOf(ctx.db, userId);
  if (balancePaise > 0) {
    const rupees = toRupees(balancePaise).toFixed(2);
    blockers.push({
      code: 'wallet_not_empty',
      text: `There is ₹${rupees} in your wallet. Use it, or ask support to send it back to your card first.`,
    });
  }
  if (await hasOpenTopUp(ctx.db, userId)) {
    blockers.push({
      code: 'top_up_under_way',
      text: 'A top-up or a refund is under way. Wait until it is finished.',
    });
  }
  return { blockers };
}
