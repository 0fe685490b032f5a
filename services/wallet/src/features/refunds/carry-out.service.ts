/**
 * Sends refunds to the card provider, each held by one worker, and follows them to their end. After a crash
 * or a lost answer, another worker first looks for the refund at the provider.
 */
import { inTransaction } from '@karaar/db';
import { whileBeating } from '@karaar/base/worker';
import type { Context } from '../../context.ts';
import { settleItself } from '../exceptions/record.service.ts';
import { credit, moveInside } from '../ledger/ledger.repository.ts';
import { publishRefund } from '../topup/card-events.ts';
import type { ProviderRefund } from '../provider/card-provider.ts';
import type { Database } from '../../db/schema.ts';
import type { Tx } from '@karaar/db';
import { isFinalRefusal } from '../provider/refusals.ts';
import {
  claimRefund,
  keepRefund,
  LEASE_MS,
  leaveRefund,
  noteTaken,
  settleRefund,
  walletPartOf,
  type RefundRow,
} from './refunds.repository.ts';

/** Carries out the refunds that are due, until `signal` aborts. Returns how many it tried. */
export async function sweepRefunds(ctx: Context, signal?: AbortSignal): Promise<number> {
  for (let looked = 0; ; looked += 1) {
    const refund = signal?.aborted ? undefined : await claimRefund(ctx.db);
    if (!refund) return looked;
    await carryOut(ctx, refund);
  }
}

/** Carries out a refund that the caller has claimed. After an outage it is tried again later. */
export async function carryOut(ctx: Context, refund: RefundRow): Promise<void> {
  try {
    await whileBeating(
      {
        everyMs: LEASE_MS / 3,
        beat: () => keepRefund(ctx.db, refund),
        onError: (err) =>
          ctx.logger.warn({ err, refundId: refund.id }, 'the lease of a refund was not extended'),
      },
      async () => recordOutcome(ctx, refund, await ask(ctx, refund)),
    );
  } catch (error) {
    ctx.logger.warn({ err: error, refundId: refund.id }, 'a refund is still open; it is tried again');
  }
  await leaveRefund(ctx.db, refund);
}

/**
 * Requests the refund, after looking for an earlier request unless this is the first attempt. Returns
 * undefined after a final refusal.
 */
async function ask(ctx: Context, refund: RefundRow): Promise<ProviderRefund | undefined> {
  const { payment_id: paymentId, amount_paise: amountPaise } = refund;
  const known = refund.attempts > 1 ? await ctx.provider.findRefund(paymentId, refund.id) : undefined;
  if (known) return known;
  try {
    return await ctx.provider.refund(paymentId, amountPaise, refund.id);
  } catch (error) {
    if (isFinalRefusal(error)) return undefined;
    throw error;
  }
}

/** A webhook may have recorded the outcome first: each state is written once. */
async function recordOutcome(
  ctx: Context,
  refund: RefundRow,
  taken: ProviderRefund | undefined,
): Promise<void> {
  if (taken?.status === 'pending') return noteTaken(ctx.db, refund.id, taken.id);
  await inTransaction(ctx.db, async (tx) => {
    if (taken?.status === 'processed') await markDone(ctx, tx, refund.id, taken.id);
    else await putBack(ctx, tx, refund.id, taken?.id);
  });
}

export async function markDone(
  ctx: Context,
  tx: Tx<Database>,
  id: string,
  providerRefundId: string,
): Promise<void> {
  const settled = await settleRefund(tx, id, { status: 'processed', providerRefundId });
  if (settled) await publishRefund(ctx, tx, settled);
}

/** Returns the money to the wallet and the system accounts, once, because it will not reach the card. */
export async function putBack(
  ctx: Context,
  tx: Tx<Database>,
  id: string,
  providerRefundId?: string,
): Promise<void> {
  const settled = await settleRefund(tx, id, {
    status: 'failed',
    ...(providerRefundId === undefined ? {} : { providerRefundId }),
  });
  if (!settled) return;
  await publishRefund(ctx, tx, settled);
  const { short_paise: short, fee_paise: fee, order_id: reference } = settled;
  const description = 'Refund to card not possible';
  const walletPaise = walletPartOf(settled);
  if (walletPaise > 0) {
    await credit(tx, {
      idempotencyKey: `refund-back:${id}`,
      userId: settled.user_id,
      amountPaise: walletPaise,
      description,
      reference,
    });
  }
  if (fee > 0) {
    await moveInside(tx, {
      idempotencyKey: `refund-fee-back:${id}`,
      from: 'clearing',
      to: 'cardFees',
      amountPaise: fee,
      description,
      reference,
    });
  }
  if (short > 0) {
    if (settled.provider_refund_id !== null)
      await settleItself(tx, 'wallet_short', settled.provider_refund_id);
    await moveInside(tx, {
      idempotencyKey: `refund-short-back:${id}`,
      from: 'clearing',
      to: 'shortfall',
      amountPaise: short,
      description,
      reference,
    });
  }
}
