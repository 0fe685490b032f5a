import { AppError } from '@karaar/platform/errors';
import type { Context } from '../../context.ts';
import { wasTaken } from './notices.repository.ts';
import { webhookMalformed, webhookSignatureWrong } from './topup.errors.ts';
import { creditOrder, failOrder } from './topup.service.ts';
import { readWebhook } from './webhook.ts';

/**
 * Takes a notice of the card provider. Throws 401 for a wrong signature, 400 for a body that is no notice.
 * Notices come late, repeated and in any order: one that had its effect is known by its event id, and the effect
 * itself is idempotent by payment id and never goes backwards. One that contradicts our order is logged and acknowledged, since sending it again
 * would not help; after a fault of ours the provider sends it again.
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
    if (meaning.kind === 'captured')
      await creditOrder(ctx, meaning.payment.orderId, meaning.payment, eventId);
    if (meaning.kind === 'failed') await failOrder(ctx, meaning.orderId, eventId);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.logger.warn({ code: error.code, eventId }, 'a notice of the card provider does not fit our orders');
  }
}
