import { inTransaction, lockName } from '@karaar/db';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/schema.ts';
import {
  failedByWhatsapp,
  TOO_LATE_MS,
  type DeliveryEnd,
  type DeliveryRow,
  type Item,
} from '../deliveries/deliveries.repository.ts';
import { URGENT } from '../deliveries/still-due.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns true if the user was asked to approve this document within the day before. Creators often approve
 * right after an invitation, and documents has sent an SMS about that.
 */
async function wasAsked(
  db: Db,
  { id, user_id, document_id, created_at }: Pick<Item, 'id' | 'user_id' | 'document_id' | 'created_at'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', user_id)
    .where('document_id', '=', document_id)
    .where('kind', 'in', ['invited', 'reminded', 'admitted', 'your_turn', 'approval_ended'])
    .where('id', '<', id)
    .where('created_at', '>', new Date(created_at.getTime() - DAY_MS))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts an SMS or WhatsApp message to a user, and returns false if `most` were counted within a day: both ring
 * the same phone. A message counts once, however often it is tried. Locks the user, so that concurrent messages
 * do not exceed the limit.
 */
async function countText(
  db: Db,
  { id }: Pick<DeliveryRow, 'id'>,
  userId: string,
  most: number,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `sms to ${userId}`);
    const { numAffectedRows } = await sql`
      UPDATE deliveries SET counted_at = coalesce(counted_at, now())
      WHERE id = ${id} AND (counted_at IS NOT NULL OR ${most}::int > (
        SELECT count(*) FROM notifications n JOIN deliveries d ON d.notification_id = n.id
        -- Older notifications have no message that is still sent.
        WHERE n.user_id = ${userId} AND n.created_at > now() - ${2 * TOO_LATE_MS} * interval '1 millisecond'
          AND d.channel IN ('sms', 'whatsapp') AND d.counted_at > now() - interval '1 day'
          AND NOT ${failedByWhatsapp}
      ))`.execute(tx);
    return numAffectedRows === 1n;
  });
}

/** Returns why a message to a phone is not sent; undefined, and counts the message, if it is. */
export async function phoneLimit(
  db: Db,
  row: DeliveryRow,
  item: Item,
  { TEXTS_PER_RECEIVER_AND_DAY: most }: Pick<Config, 'TEXTS_PER_RECEIVER_AND_DAY'>,
): Promise<DeliveryEnd | undefined> {
  if (item.kind === 'your_turn' && (await wasAsked(db, item)))
    return { state: 'skipped', reason: 'asked within a day' };
  if (URGENT.has(item.kind) || (await countText(db, row, item.user_id, most))) return undefined;
  return { state: 'skipped', reason: 'too many messages to one receiver' };
}
