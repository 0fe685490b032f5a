/**
 * Combines a user's reminders into one e-mail: the first one queued is the leader, and later ones join it
 * until the worker takes it. Membership is fixed from then on, so that an e-mail that is sent twice is the
 * same.
 */
import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import { lockName, type Tx } from '@karaar/db';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';

/** Kinds that may share one e-mail. */
export const BATCHED: ReadonlySet<NotificationKind> = new Set(['reminded']);

/** The most reminders in one e-mail. */
export const MAX_BATCH = 20;

/**
 * Returns the delivery whose e-mail can take another reminder for this user, or undefined. Until the
 * transaction ends, no worker can take that delivery, and other transactions for this user wait.
 */
export async function openLeader(
  tx: Tx<Database>,
  userId: string,
  kind: NotificationKind,
): Promise<string | undefined> {
  await lockName(tx, `reminders of ${userId}`);
  const { rows } = await sql<{ id: string; members: number }>`
    SELECT d.id, (SELECT count(*)::int FROM deliveries m WHERE m.leader_id = d.id) AS members
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${userId} AND n.kind = ${kind} AND d.channel = 'email'
      AND d.state = 'queued' AND d.attempts = 0 AND d.due_at > now() AND d.leader_id IS NULL
    ORDER BY d.id DESC LIMIT 1 FOR UPDATE OF d`.execute(tx);
  const [leader] = rows;
  return leader && leader.members + 1 < MAX_BATCH ? leader.id : undefined;
}

/** Marks a member as skipped, because it need not be sent any more. */
export async function skipMember(db: Db, id: string, reason: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'skipped', reason, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'batched')
    .execute();
}
