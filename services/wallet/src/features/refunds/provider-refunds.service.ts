/** Applies the card provider's reports of refunds: ours, and those made in its dashboard. */
import { inTransaction, uuidv7, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { isAnswered, settleItself } from '../exceptions/record.service.ts';
import { noteShortfall, noteUnmatchedRefund } from '../exceptions/unmatched.service.ts';
import { lockedBalance, moveInside, takeBack } from '../ledger/ledger.repository.ts';
import { publishRefund } from '../topup/card-events.ts';
import type { ProviderRefund } from '../provider/card-provider.ts';
import { noteWebhook } from '../provider/webhooks.repository.ts';
import { markDone, putBack } from './carry-out.service.ts';
import {
  feePartOf,
  insertRefund,
  lockByProvider,
  lockPaidOrder,
  noteTaken,
  settleRefund,
  walletPartOf,
  type PaidOrder,
} from './refunds.repository.ts';

/**
 * Applies the provider's state of a refund to our books; its webhooks may come in any order and repeatedly. A
 * refund of a payment that credited no wallet becomes an exception.
 */
export async function applyRefund(
  ctx: Context,
  refund: ProviderRefund,
  webhookEventId?: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    // This lock orders all decisions about the payment.
    const order = await lockPaidOrder(tx, refund.paymentId);
    if (!order) return noteUnmatchedRefund(tx, refund);
    if (await isAnswered(tx, 'refund_unmatched', refund.id)) return;
    await settleItself(tx, 'refund_unmatched', refund.id);
    const known = await lockByProvider(tx, refund);
    if (!known) {
      if (refund.status !== 'failed') await takeOver(ctx, tx, order, refund);
    } else if (refund.status === 'processed') await markDone(ctx, tx, known.id, refund.id);
    else if (refund.status === 'failed') await putBack(ctx, tx, known.id, refund.id);
    else await noteTaken(tx, known.id, refund.id);
  });
  ctx.outbox.wake();
}

/**
 * Books a refund made in the provider's dashboard: the wallet pays as much as it holds, the rest is our
 * shortfall. The part beyond the order is the fee on top.
 */
async function takeOver(
  ctx: Context,
  tx: Tx<Database>,
  order: PaidOrder,
  refund: ProviderRefund,
): Promise<void> {
  const id = uuidv7();
  const feePaise = await feePartOf(tx, order, refund.amountPaise);
  const balancePaise = await lockedBalance(tx, order.user_id);
  const shortPaise = Math.max(0, refund.amountPaise - feePaise - balancePaise);
  const row = await insertRefund(tx, {
    id,
    idempotency_key: `provider:${refund.id}`,
    order_id: order.id,
    payment_id: refund.paymentId,
    user_id: order.user_id,
    amount_paise: refund.amountPaise,
    reason: 'Made at the card provider',
    admin_id: 'card-provider',
    provider_refund_id: refund.id,
    made_by: 'provider',
    short_paise: shortPaise,
    fee_paise: feePaise,
  });
  const transfer = { description: 'Refund to card', reference: order.id };
  const walletPaise = walletPartOf(row);
  if (walletPaise > 0) {
    await takeBack(tx, {
      ...transfer,
      idempotencyKey: `refund:${id}`,
      userId: order.user_id,
      amountPaise: walletPaise,
    });
  }
  if (feePaise > 0) {
    await moveInside(tx, {
      ...transfer,
      idempotencyKey: `refund-fee:${id}`,
      from: 'cardFees',
      to: 'clearing',
      amountPaise: feePaise,
    });
  }
  if (shortPaise > 0) {
    await moveInside(tx, {
      ...transfer,
      idempotencyKey: `refund-short:${id}`,
      from: 'shortfall',
      to: 'clearing',
      amountPaise: shortPaise,
    });
    await noteShortfall(tx, {
      subject: refund.id,
      cause: 'refund',
      paymentId: refund.paymentId,
      orderId: order.id,
      userId: order.user_id,
      paise: shortPaise,
    });
  }
  await publishRefund(ctx, tx, row);
  if (refund.status === 'processed') {
    const settled = await settleRefund(tx, id, { status: 'processed', providerRefundId: refund.id });
    if (settled) await publishRefund(ctx, tx, settled);
  }
}
