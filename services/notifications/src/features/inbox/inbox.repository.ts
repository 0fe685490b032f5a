import { UNREAD_MAX } from '@karaar/contracts/limits';
import { prepared, type Tx } from '@karaar/db';
import { sql, type Selectable } from 'kysely';
import type { Database, Db, NotificationsTable } from '../../db/schema.ts';

export type NotificationRow = Selectable<NotificationsTable>;
/** With the current name of the user who caused it. */
export type ListedRow = NotificationRow & { actor_name: string | null };

/** Returns a page, newest first (UUIDv7 ids sort by time). `before` is the last id of the previous page. */
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

/** Returns each user's number of unread notifications, at most `UNREAD_MAX`, in the order of `userIds`. */
export async function countUnread(db: Db, userIds: readonly string[]): Promise<number[]> {
  const { rows } = await prepared(
    'unread',
    sql<{ count: number }>`
    SELECT unread.count FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS u (user_id, at),
      LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT FROM notifications n WHERE n.user_id = u.user_id AND n.in_app AND n.read_at IS NULL LIMIT ${UNREAD_MAX}
        ) counted
      ) unread
    ORDER BY u.at`,
  ).execute(db);
  return rows.map(({ count }) => count);
}

/** Returns how many notifications were marked. */
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

/** Marks a notification of this user as read, and returns the outcome. */
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

/**
 * Raises and returns each user's list version, in the order of `userIds`. Other transactions that raise the
 * same versions wait for this one.
 * @param userIds without duplicates
 */
export async function nextVersions(tx: Tx<Database>, userIds: readonly string[]): Promise<number[]> {
  // All transactions lock the rows in the same order, which prevents deadlocks.
  const { rows } = await prepared(
    'next_versions',
    sql<{ version: number }>`
    WITH next AS (
      INSERT INTO list_versions (user_id, version)
      SELECT user_id, 1 FROM unnest(${userIds}::uuid[]) AS u (user_id) ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE SET version = list_versions.version + 1
      RETURNING user_id, version
    )
    SELECT version FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS u (user_id, at) JOIN next USING (user_id)
    ORDER BY at`,
  ).execute(tx);
  return rows.map(({ version }) => version);
}

/**
 * Deletes up to `limit` notifications older than a moment, except those with an unsent e-mail. Returns how
 * many it deleted.
 */
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
