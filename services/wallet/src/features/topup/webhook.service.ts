import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { applyDispute } from '../disputes/disputes.service.ts';
import { applyRefund } from '../refunds/provider-refunds.service.ts';
import { wasTaken } from './notices.repository.ts';
import { webhookMalformed, webhookSignatureWrong } from './topup.errors.ts';
import { creditFirst } from './credit-first.ts';
import { creditOrder, failOrder } from './topup.service.ts';
import { readWebhook, type WebhookMeaning } from './webhook.ts';

/**
 * Takes a notice of the card provider. Throws 401 for a wrong signature, 400 for a body that is no notice.
 * Notices come late, repeated and in any order: one that had its effect is known by its event id, and the effect
 * itself is idempotent by payment id and never goes backwards. One that contradicts our orders is an exception for the admins
 * and is acknowledged, since sending it again would not help; after a fault of ours the provider sends it again.
 */
export async function receiveWebhook(
  ctx: Context,
  notice: { rawBody: Buffer; signature: string; eventId: string | undefined },
): Promise<void> {
  if (!ctx.provider.isWebhookSignature(notice.rawBody, notice.signature)) throw webhookSignatureWrong();
  const meaning = readWebhook(notice.rawBody);
  if (!meaning) throw webhookMalformed();
  const { eventId } = notice;
  if (eventId !== undefined && (await wasTaken(ctx.db, eventId))) return;
  try {
    await apply(ctx, meaning, eventId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.logger.warn({ code: error.code, eventId }, 'a notice of the card provider does not fit our orders');
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
