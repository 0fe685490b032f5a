/**
 * A rest is less than the card provider's smallest refund. No card can get it back, and it blocks the
 * deletion of the account. Only its owner may give it up.
 */
import { deletionRpc } from '@karaar/contracts/personal-data';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { paiseOf } from '../ledger/amounts.ts';
import { giveUp, isBooked, lockedBalance, type Moved } from '../ledger/ledger.repository.ts';
import { hasOpenRefund } from '../personal-data/personal-data.repository.ts';
import { hasPaymentUnderWay } from '../personal-data/personal-data.service.ts';
import { moneyUnderWay, restChanged } from './rests.errors.ts';

/** In rupees, below the smallest refund. */
export type RestToGiveUp = { amount: number; idempotencyKey: string };

/**
 * Gives up the whole balance, once per key. The owner has seen the amount in rupees and agreed to.
 * @throws 409 if the wallet holds another amount, while a top-up, a refund, a dispute, a payment or its
 * reversal is in progress, or for a key of another amount; 422 for more than two decimals; 503 without
 * payments
 */
export async function giveUpRest(ctx: Context, userId: string, rest: RestToGiveUp): Promise<Moved> {
  const amountPaise = paiseOf(rest.amount);
  const idempotencyKey = `given-up:${userId}:${rest.idempotencyKey}`;
  // Calls other services outside the transaction, and not for a rest that is given up already.
  if (!(await isBooked(ctx.db, idempotencyKey)) && (await isMoneyUnderWay(ctx, userId)))
    throw moneyUnderWay();
  return inTransaction(ctx.db, async (tx) => {
    // This lock stops every other transfer of this wallet until the transaction ends.
    const balancePaise = await lockedBalance(tx, userId);
    if (!(await isBooked(tx, idempotencyKey))) {
      if (balancePaise !== amountPaise) throw restChanged();
      if (await hasOpenRefund(tx, userId)) throw moneyUnderWay();
    }
    return giveUp(tx, {
      idempotencyKey,
      userId,
      amountPaise,
      description: 'Rest given up',
      reference: userId,
    });
  });
}

async function isMoneyUnderWay(ctx: Context, userId: string): Promise<boolean> {
  const { blockers } = await ctx.bus.request(deletionRpc.payments, { user_id: userId });
  return blockers.length > 0 || hasPaymentUnderWay(ctx, userId);
}
