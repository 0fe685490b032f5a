import { AppError } from '@karaar/base/errors';
import type { Context } from '../../context.ts';
import { applyDispute } from '../disputes/disputes.service.ts';
import { applyRefund } from '../refunds/provider-refunds.service.ts';
import { wasTaken } from '../provider/webhooks.repository.ts';
import { webhookMalformed, webhookSignatureWrong } from '../topup/topup.errors.ts';
import { creditFirst } from '../topup/credit-first.ts';
import { creditOrder, failOrder } from '../topup/topup.service.ts';
import { readWebhook, type WebhookMeaning } from './webhook.ts';

/**
 * Handles a webhook call of the card provider. Webhooks come late, repeated and in any order: the event id
 * shows whether an event was applied, and applying it is idempotent by payment id and never goes backwards.
 * An event that contradicts our orders becomes an exception and is acknowledged, since sending it again would
 * not help; after a fault of ours the provider sends it again.
 * @throws 401 for a wrong signature, 400 for a body that is not a webhook event
 */
export async function receiveWebhook(
  ctx: Context,
  webhook: { rawBody: Buffer; signature: string; eventId: string | undefined },
): Promise<void> {
  if (!ctx.provider.isWebhookSignature(webhook.rawBody, webhook.signature)) throw webhookSignatureWrong();
  const meaning = readWebhook(webhook.rawBody);
  if (!meaning) throw webhookMalformed();
  const { eventId } = webhook;
  if (eventId !== undefined && (await wasTaken(ctx.db, eventId))) return;
  try {
    await apply(ctx, meaning, eventId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.logger.warn({ code: error.code, eventId }, 'a webhook of the card provider does not fit our orders');
  }
}

async function apply(ctx: Context, meaning: WebhookMeaning, eventId: string | undefined): Promise<void> {
  switch (meaning.kind) {
    case 'captured':
      await creditOrder(ctx, meaning.payment.orderId, meaning.payment, eventId);
      return;
    case 'failed':
      return failOrder(ctx, meaning.orderId, eventId);
    case 'refund':
      await creditFirst(ctx, meaning.refund.paymentId);
      return applyRefund(ctx, meaning.refund, eventId);
    case 'dispute':
      await creditFirst(ctx, meaning.dispute.paymentId);
      return applyDispute(ctx, meaning.dispute, eventId);
    case 'other':
  }
}
