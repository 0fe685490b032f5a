/**
 * Disputes of card payments. When the bank opens one, the wallet's part of the money is set aside, so that it
 * is not spent. It returns if we win, and goes to the card if we lose. Any part that the wallet did not hold
 * is then our shortfall; a fee paid on top was never in the wallet.
 */
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { isAnswered, settleItself } from '../exceptions/record.service.ts';
import { noteShortfall, noteUnmatchedDispute } from '../exceptions/unmatched.service.ts';
import { hold, lockedBalance, moveInside, release } from '../ledger/ledger.repository.ts';
import { feePartOf, lockPaidOrder, type PaidOrder } from '../refunds/refunds.repository.ts';
import type { ProviderDispute } from '../provider/card-provider.ts';
import { noteWebhook } from '../provider/webhooks.repository.ts';
import { endDispute, findDispute, insertDispute, type DisputeRow } from './disputes.repository.ts';

/**
 * Applies the provider's state of a dispute to our books. Webhooks come in any order, so a dispute that has
 * ended stays ended. A dispute of a payment that credited no wallet becomes an exception.
 */
export async function applyDispute(
  ctx: Context,
  reported: ProviderDispute,
  webhookEventId?: string,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (webhookEventId !== undefined) await noteWebhook(tx, webhookEventId);
    const order = await lockPaidOrder(tx, reported.paymentId);
    if (!order) return noteUnmatchedDispute(tx, reported);
    if (await isAnswered(tx, 'dispute_unmatched', reported.id)) return;
    await settleItself(tx, 'dispute_unmatched', reported.id);
    const dispute = (await findDispute(tx, reported.id)) ?? (await open(tx, order, reported));
    if (dispute.status !== 'open' || reported.status === 'open') return;
    await endDispute(tx, dispute.id, reported.status);
    await (reported.status === 'won' ? give(tx, dispute) : lose(tx, dispute));
    if (reported.status === 'lost' && shortOf(dispute) > 0)
      await noteShortfall(tx, {
        subject: dispute.id,
        cause: 'dispute',
        paymentId: dispute.payment_id,
        orderId: dispute.order_id,
        userId: dispute.user_id,
        paise: shortOf(dispute),
      });
  });
}

/** Returns the paise that neither the wallet held nor the payer paid on top. */
const shortOf = ({ amount_paise, held_paise, fee_paise }: DisputeRow): number =>
  amount_paise - held_paise - fee_paise;
const partsOf = ({ id, held_paise, order_id }: DisputeRow) => ({ id, held: held_paise, reference: order_id });

async function open(tx: Tx<Database>, order: PaidOrder, reported: ProviderDispute): Promise<DisputeRow> {
  const feePaise = await feePartOf(tx, order, reported.amountPaise);
  const heldPaise = Math.min(reported.amountPaise - feePaise, await lockedBalance(tx, order.user_id));
  const dispute = await insertDispute(tx, {
    id: reported.id,
    order_id: order.id,
    payment_id: reported.paymentId,
    user_id: order.user_id,
    amount_paise: reported.amountPaise,
    held_paise: heldPaise,
    fee_paise: feePaise,
  });
  if (heldPaise > 0) {
    await hold(tx, {
      idempotencyKey: `dispute:${reported.id}`,
      userId: order.user_id,
      amountPaise: heldPaise,
      description: 'Disputed card payment',
      reference: order.id,
    });
  }
  return dispute;
}

async function give(tx: Tx<Database>, dispute: DisputeRow): Promise<void> {
  const { id, held, reference } = partsOf(dispute);
  if (held === 0) return;
  await release(tx, {
    idempotencyKey: `dispute-back:${id}`,
    userId: dispute.user_id,
    amountPaise: held,
    description: 'Disputed card payment returned',
    reference,
  });
}

async function lose(tx: Tx<Database>, dispute: DisputeRow): Promise<void> {
  const { id, held, reference } = partsOf(dispute);
  const description = 'Disputed card payment lost';
  const to = 'clearing';
  const parts = [
    { idempotencyKey: `dispute-lost:${id}`, from: 'held', amountPaise: held },
    { idempotencyKey: `dispute-fee:${id}`, from: 'cardFees', amountPaise: dispute.fee_paise },
    { idempotencyKey: `dispute-short:${id}`, from: 'shortfall', amountPaise: shortOf(dispute) },
  ] as const;
  for (const part of parts)
    if (part.amountPaise > 0) await moveInside(tx, { ...part, to, description, reference });
}
