import { notificationsRoutes as routes } from '@karaar/contracts/notifications/http';
import { isUuid } from '@karaar/db';
import { readTwilioReport } from '@karaar/sms';
import type { Context } from '../../context.ts';
import { noteReport } from '../deliveries/deliveries.repository.ts';

/** Returns the public address to which Twilio reports whether an SMS arrived. */
export const statusUrlOf = (
  { PUBLIC_URL }: Pick<Context['config'], 'PUBLIC_URL'>,
  deliveryId: string,
): string =>
  `${PUBLIC_URL.replace(/\/$/, '')}/api${routes.smsStatus.path.replace(':deliveryId', deliveryId)}`;

/**
 * Records the report about an SMS. The first one is final, so a repeated callback changes nothing.
 *
 * @throws 401 if Twilio has not signed the callback for this SMS; the response is the same for an unknown SMS
 */
export async function receiveSmsStatus(
  ctx: Pick<Context, 'db' | 'config'>,
  { deliveryId, body, signature }: { deliveryId: string; body: string; signature: string },
  authToken: string,
): Promise<void> {
  const report = readTwilioReport({ url: statusUrlOf(ctx.config, deliveryId), body, signature }, authToken);
  if (report && isUuid(deliveryId)) await noteReport(ctx.db, deliveryId, report);
}
