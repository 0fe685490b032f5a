import { uuidv7, type Tx } from '@karaar/platform/db-kit';
import type { Insertable } from 'kysely';
import type { Database, Db, NotificationsTable } from '../../db/schema.ts';

/** False when this fact has told this user this already. */
export async function insertNotification(
  tx: Tx<Database>,
  notification: Insertable<NotificationsTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('notifications')
    .values(notification)
    .onConflict((conflict) => conflict.columns(['event_id', 'user_id', 'kind']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** @param leaderId the delivery whose e-mail brings this notification as well */
export async function queueDelivery(
  tx: Tx<Database>,
  notificationId: string,
  dueAt: Date,
  leaderId?: string,
): Promise<void> {
  const gathered = leaderId === undefined ? {} : { leader_id: leaderId, state: 'gathered' as const };
  await tx
    .insertInto('deliveries')
    .values({ id: uuidv7(), notification_id: notificationId, channel: 'email', due_at: dueAt, ...gathered })
    .execute();
}

/** Whether a user's account was deleted: a late fact must not write about that person again. */
export async function isGone(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('directory')
    .select(['is_active', 'phone_no'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined && !row.is_active && row.phone_no === '';
}

/** From when on facts are told. */
export async function beganAt(db: Db): Promise<Date> {
  return (await db.selectFrom('beginning').select('at').executeTakeFirstOrThrow()).at;
}
