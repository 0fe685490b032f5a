import type { Context } from '../../context.ts';
import { noteWhatsappReport } from '../deliveries/deliveries.repository.ts';
import { readWhatsappReports } from './whatsapp-status.ts';

/**
 * Records the reports in a webhook.
 *
 * @throws 401 if Meta has not signed these bytes; 400 if they are not a webhook
 */
export async function receiveWhatsappReports(
  { db, config }: Pick<Context, 'db' | 'config'>,
  call: { rawBody: Buffer; signature: string },
): Promise<void> {
  for (const { deliveryId, report } of readWhatsappReports(call, config.WHATSAPP_APP_SECRET))
    await noteWhatsappReport(db, deliveryId, report);
}
