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

/** How many notifications each of these users has not read, `UNREAD_MAX` at most, in their order. */
export async function countUnread(db: Db, userIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    /*keep unread*/ SELECT unread.count FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS u (user_id, at),
      LATERAL (
        SELECT count(*)::int AS count FROM (
          SELECT FROM notifications n WHERE n.user_id = u.user_id AND n.in_app AND n.read_at IS NULL LIMIT ${UNREAD_MAX}
        ) counted
      ) unread
    ORDER BY u.at`.execute(db);
  return rows.map(({ count }) => count);
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

/**
 * Raises and returns each user's list version, in the order of `userIds`; other transactions wait for this one.
 *
 * @param userIds each once
 */
export async function nextVersions(tx: Tx<Database>, userIds: readonly string[]): Promise<number[]> {
  // Rows are locked in one order, so that two transactions never wait for each other.
  const { rows } = await sql<{ version: number }>`
    /*keep next_versions*/ WITH next AS (
      INSERT INTO list_versions (user_id, version)
      SELECT user_id, 1 FROM unnest(${userIds}::uuid[]) AS u (user_id) ORDER BY user_id
      ON CONFLICT (user_id) DO UPDATE SET version = list_versions.version + 1
      RETURNING user_id, version
    )
    SELECT version FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS u (user_id, at) JOIN next USING (user_id)
    ORDER BY at`.execute(tx);
  return rows.map(({ version }) => version);
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
