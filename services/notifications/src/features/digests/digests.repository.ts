/**
 * Reminders of a user that go out as one e-mail: the first one queued leads, the later ones are gathered under it until
 * the worker takes it. Which ones belong together is fixed from then on, so that an e-mail that is sent again is the same.
 */
import type { NotificationKind } from '@karaar/contracts/notifications/kinds';
import type { Tx } from '@karaar/platform/db-kit';
import { sql } from 'kysely';
import type { Database, Db } from '../../db/schema.ts';
import type { NotificationRow } from '../inbox/inbox.repository.ts';
import type { DeliveryRow } from '../mail/deliveries.repository.ts';

/** Kinds of which a user gets one e-mail for several. */
export const GATHERED: ReadonlySet<NotificationKind> = new Set(['reminded']);

/** The most reminders of one e-mail; the next one leads another. */
export const MOST_GATHERED = 20;

/**
 * The delivery that is still waiting for further reminders of this user; undefined for none. It cannot be taken by a worker
 * before the transaction ends, and a second transaction for the same user waits for the first.
 */
export async function openLeader(
  tx: Tx<Database>,
  userId: string,
  kind: NotificationKind,
): Promise<string | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('reminders of ' || ${userId}::text, 0))`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string; members: number }>`
    SELECT d.id, (SELECT count(*)::int FROM deliveries m WHERE m.leader_id = d.id) AS members
    FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${userId} AND n.kind = ${kind} AND d.channel = 'email'
      AND d.state = 'queued' AND d.attempts = 0 AND d.due_at > now() AND d.leader_id IS NULL
    ORDER BY d.id DESC LIMIT 1 FOR UPDATE OF d`.execute(tx);
  const [leader] = rows;
  return leader && leader.members + 1 < MOST_GATHERED ? leader.id : undefined;
}

export type Member = NotificationRow & { delivery_id: string };

/** The notifications that go out in the e-mail of a delivery besides its own, oldest first. */
export const membersOf = (db: Db, leaderId: string): Promise<Member[]> =>
  db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.id', 'deliveries.notification_id')
    .selectAll('notifications')
    .select('deliveries.id as delivery_id')
    .where('leader_id', '=', leaderId)
    .where('state', '=', 'gathered')
    .orderBy('deliveries.id')
    .execute();

/** Members that need not be told any more. */
export async function skipMembers(db: Db, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('deliveries')
    .set({ state: 'skipped', reason, ended_at: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('state', '=', 'gathered')
    .execute();
}

/**
 * Ends a leader and its members in one statement; without effect when another worker has taken it since.
 *
 * @param own what becomes of the leader's own notification, where that differs from the e-mail
 */
export async function endTogether(
  db: Db,
  leader: DeliveryRow,
  end: { state: 'sent' | 'failed' | 'skipped'; reason: string | null },
  own: { state: 'sent' | 'failed' | 'skipped'; reason: string | null } = end,
): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE deliveries SET state = ${own.state}, reason = ${own.reason}, lease_until = NULL, ended_at = now()
      WHERE id = ${leader.id} AND state = 'sending' AND attempts = ${leader.attempts} RETURNING id
    )
    UPDATE deliveries SET state = ${end.state}, reason = ${end.reason}, ended_at = now()
    WHERE leader_id IN (SELECT id FROM ended) AND state = 'gathered'`.execute(db);
}
