import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { webhookMalformed, webhookSignatureWrong } from './topup.errors.ts';
import { creditOrder, failOrder } from './topup.service.ts';
import { readWebhook } from './webhook.ts';

/**
 * Takes a notice of the card provider. Throws 401 for a wrong signature, 400 for a body that is no notice.
 * Notices come late, repeated and in any order, so none is remembered: the effect is idempotent by payment id
 * and never goes backwards. One that contradicts our order is logged and acknowledged, since sending it again
 * would not help; after a fault of ours the provider sends it again.
 */
export async function receiveWebhook(
  ctx: Context,
  notice: { rawBody: Buffer; signature: string; eventId: string | undefined },
): Promise<void> {
  if (!ctx.provider.isWebhookSignature(notice.rawBody, notice.signature)) throw webhookSignatureWrong();
  const meaning = readWebhook(notice.rawBody);
  if (!meaning) throw webhookMalformed();
  try {
    if (meaning.kind === 'captured') await creditOrder(ctx, meaning.payment.orderId, meaning.payment);
    if (meaning.kind === 'failed') await failOrder(ctx, meaning.orderId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.logger.warn(
      { code: error.code, eventId: notice.eventId },
      'a notice of the card provider does not fit our orders',
    );
  }
}
