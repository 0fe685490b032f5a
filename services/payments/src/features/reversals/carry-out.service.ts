/**
 * Carries out a decided reversal: the wallet gives the debit back, then one transaction marks the payment as
 * reversed and publishes that. The wallet reverses a debit only once, so repeating after a crash is safe.
 */
import { paymentsEvents } from '@karaar/contracts/payments/events';
import { walletInternalRpc } from '@karaar/contracts/wallet/inner';
import { inTransaction } from '@karaar/db';
import type { Context } from '../../context.ts';
import { lockCharge } from '../charges/charges.repository.ts';
import {
  chargeNumber,
  findReversal,
  interruptedReversals,
  markDone,
  markReversed,
  type ReversalLine,
} from './reversals.repository.ts';

/** Carries out a decided reversal. If that fails, the error is logged, and the sweeper tries again later. */
export async function tryToCarryOut(ctx: Context, reversal: ReversalLine): Promise<ReversalLine> {
  if (reversal.state !== 'decided') return reversal;
  try {
    await carryOut(ctx, reversal);
  } catch (err) {
    ctx.logger.warn({ err, reversalId: reversal.id }, 'a decided reversal is still open');
  }
  return (await findReversal(ctx.db, reversal.id)) ?? reversal;
}

async function carryOut(ctx: Context, reversal: ReversalLine): Promise<void> {
  const { transfer_id: transferId } = await ctx.askWallet(walletInternalRpc.reverseDebit, {
    debit_key: `payment:${reversal.payment_id}`,
    user_id: reversal.user_id,
    amount_paise: reversal.amount_paise,
    description: describe(reversal.document_name),
  });
  await recordDone(ctx, reversal, transferId);
  ctx.outbox.wake();
}

const recordDone = (ctx: Context, reversal: ReversalLine, transferId: string): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    await lockCharge(tx, reversal.document_id);
    if (!(await markDone(tx, reversal.id, transferId))) return;
    const { payment_id, document_id, user_id, amount_paise } = reversal;
    const version = await markReversed(tx, payment_id);
    const charge_number = await chargeNumber(tx, document_id);
    await ctx.outbox.add(tx, paymentsEvents.paymentReversed, {
      aggregateId: payment_id,
      aggregateVersion: version,
      data: { payment_id, document_id, user_id, amount_paise, charge_number },
    });
  });

/**
 * Carries out reversals that a crash or an outage left decided, until `signal` aborts. Returns how many are
 * done.
 */
export async function sweepReversals(ctx: Context, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (const reversal of await interruptedReversals(ctx.db, ctx.config.SWEEP_AFTER_MS)) {
    // While the wallet does not answer, each reversal takes until its deadline.
    if (signal?.aborted) break;
    const { state } = await tryToCarryOut(ctx, reversal);
    if (state === 'done') done += 1;
  }
  return done;
}

/** The wallet accepts 200 characters; this does not split surrogate pairs. */
const describe = (documentName: string): string =>
  [...`Reversal of payment for ${documentName}`].slice(0, 200).join('');
