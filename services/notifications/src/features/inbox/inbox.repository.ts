/** The list behind the bell. */
import { UNREAD_MAX } from '@karaar/contracts/limits';
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, NotificationsTable } from '../../db/schema.ts';

export type NotificationRow = Selectable<NotificationsTable>;
/** With the name of who did it, as the directory has it now. */
export type ListedRow = NotificationRow & { actor_name: string | null };

/** Newest first (UUIDv7 ids sort by time); `before` is the last id of the page before. */
export async function listedOf(
  db: Db,
  userId: string,
  page: { before?: string | undefined; limit: number },
): Promise<ListedRow[]> {
  let query = db
    .selectFrom('notifications')
    .leftJoin('directory', 'directory.user_id', 'notifications.actor_id')
    .selectAll('notifications')
    .select('directory.name as actor_name')
    .where('notifications.user_id', '=', userId)
    .where('in_app', '=', true);
  if (page.before) query = query.where('id', '<', page.before);
  return query.orderBy('id', 'desc').limit(page.limit).execute();
}

/** Up to a limit: who has more does not want to know how many. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM notifications WHERE user_id = ${userId} AND in_app AND read_at IS NULL LIMIT ${UNREAD_MAX}
    ) unread`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many were marked. */
export async function markReadUpTo(tx: Tx<Database>, userId: string, upTo: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('notifications')
    .set({ read_at: new Date() })
    .where('user_id', '=', userId)
    .where('id', '<=', upTo)
    .where('in_app', '=', true)
    .where('read_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Whether the user has this notification, and whether it was unread. */
export async function markRead(
  tx: Tx<Database>,
  userId: string,
  id: string,
): Promise<'marked' | 'read already' | 'unknown'> {
  const row = await tx
    .selectFrom('notifications')
    .select('read_at')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('in_app', '=', true)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return 'unknown';
  if (row.read_at) return 'read already';
  await tx.updateTable('notifications').set({ read_at: new Date() }).where('id', '=', id).execute();
  return 'marked';
}

/** The number of the next fact about a user's list; others wait for this transaction's end. */
export async function nextVersion(tx: Tx<Database>, userId: string): Promise<number> {
  const { version } = await tx
    .insertInto('list_versions')
    .values({ user_id: userId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ version: sql<number>`list_versions.version + 1` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Forgets up to some notifications older than a moment; what is still to be sent stays. How many went. */
export async function forgetOlder(db: Db, moment: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM notifications WHERE id IN (
      SELECT n.id FROM notifications n
      WHERE n.created_at < ${moment} AND NOT EXISTS (
        SELECT FROM deliveries d WHERE d.notification_id = n.id AND d.state IN ('queued', 'sending')
      )
      ORDER BY n.created_at LIMIT ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}
