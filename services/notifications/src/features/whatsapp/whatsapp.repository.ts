import type { SmsReport } from '@karaar/sms';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/**
 * Records Meta's report about a message. Meta may report a failure of one of a user's devices before or after
 * the delivery to another, so `delivered` replaces a failure and is final.
 */
export async function noteWhatsappReport(db: Db, id: string, report: SmsReport): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ report, reported_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('channel', '=', 'whatsapp')
    .where(({ eb, or }) =>
      or([eb('report', 'is', null), ...(report === 'delivered' ? [eb('report', '<>', 'delivered')] : [])]),
    )
    .execute();
}
