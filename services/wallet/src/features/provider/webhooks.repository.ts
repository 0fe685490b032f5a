import type { Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/** The provider repeats a webhook for a day; the payment id makes the credit unique forever. */
const KEPT = '30 days';

export async function wasTaken(db: Db, eventId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .where('event_id', '=', eventId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records a webhook in the transaction of its effect. If it arrives twice at once, both are recorded, and the
 * effect happens once.
 */
export async function noteWebhook(tx: Tx<Database>, eventId: string): Promise<void> {
  await tx
    .insertInto('webhook_deliveries')
    .values({ event_id: eventId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function forgetOldWebhooks(db: Db): Promise<void> {
  await sql`DELETE FROM webhook_deliveries WHERE received_at < now() - ${KEPT}::interval`.execute(db);
}
