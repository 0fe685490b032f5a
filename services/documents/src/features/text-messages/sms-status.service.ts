import { textMessagesRoutes as routes } from '@karaar/contracts/documents/text-messages';
import { isUuid } from '@karaar/db';
import { readTwilioReport } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { noteDelivery } from './text-messages.repository.ts';

/** Returns the public address to which Twilio reports whether a text arrived. */
export const statusUrlOf = (
  { PUBLIC_URL }: Pick<Context['config'], 'PUBLIC_URL'>,
  messageId: string,
): string => `${PUBLIC_URL.replace(/\/$/, '')}/api${routes.smsStatus.path.replace(':messageId', messageId)}`;

/**
 * Records whether a text arrived. The first report is final, so a repeated callback changes nothing.
 *
 * @throws 401 if Twilio has not signed the callback for this text; the response is the same for an unknown text
 */
export async function receiveSmsStatus(
  ctx: Pick<Context, 'db' | 'config'>,
  { messageId, body, signature }: { messageId: string; body: string; signature: string },
  authToken: string,
): Promise<void> {
  const delivery = readTwilioReport({ url: statusUrlOf(ctx.config, messageId), body, signature }, authToken);
  if (delivery && isUuid(messageId)) await noteDelivery(ctx.db, messageId, delivery);
}
