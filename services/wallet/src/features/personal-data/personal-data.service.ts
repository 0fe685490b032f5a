import { setTimeout as sleep } from 'node:timers/promises';
import type { WordedBlocker } from '@karaar/contracts/auth/deletion-blocker';
import { toRupees } from '@karaar/contracts/charge';
import type { RpcRequest, RpcResponse } from '@karaar/contracts/kit';
import { REFUND_MIN_PAISE } from '@karaar/contracts/limits';
import { EXPORT_PAGE, type deletionRpc, type exportRpc } from '@karaar/contracts/personal-data';
import type { Context } from '../../context.ts';
import { balanceOf, movementsOf } from '../ledger/ledger.repository.ts';
import { hasOpenRefund, unpaidOrders } from './personal-data.repository.ts';

/** Returns a page of the export: movements, oldest first. */
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
  const blockers: WordedBlocker[] = [];
  const { balancePaise } = await balanceOf(ctx.db, userId);
  if (balancePaise > 0) blockers.push(holding(balancePaise));
  if ((await hasOpenRefund(ctx.db, userId)) || (await hasPaymentUnderWay(ctx, userId))) {
    blockers.push({
      code: 'top_up_under_way',
      text: 'A top-up or a refund is under way. Wait until it is finished.',
    });
  }
  return { blockers };
}

function holding(balancePaise: number): WordedBlocker {
  const amount = toRupees(balancePaise);
  const held = `There is ₹${amount.toFixed(2)} in your wallet.`;
  return balancePaise < REFUND_MIN_PAISE
    ? {
        code: 'wallet_rest',
        text: `${held} Less than ₹1 cannot be sent back to a card. Use it, or give it up first.`,
        amount,
      }
    : {
        code: 'wallet_not_empty',
        text: `${held} Use it, or ask support to send it back to your card first.`,
        amount,
      };
}

/** Shorter than the caller's timeout. */
const PROVIDER_MS = 2_000;

/**
 * Returns true if a bank has approved a payment of an open order, or the provider does not answer in time. An
 * abandoned order without a payment does not count.
 */
export async function hasPaymentUnderWay(ctx: Context, userId: string): Promise<boolean> {
  const orders = await unpaidOrders(ctx.db, userId);
  const isTried = async (order: string): Promise<boolean> =>
    (await ctx.provider.paymentsOf(order)).some(({ authorized, captured }) => authorized || captured);
  const anyTried = Promise.all(orders.map(isTried)).then(
    (tried) => tried.includes(true),
    () => true,
  );
  return Promise.race([anyTried, sleep(PROVIDER_MS, true, { ref: false })]);
}
