/** E-mails to send: rows with a lease, written with the notification that they bring. */
import { claimDue, inMs } from '@karaar/platform/worker';
import { sql, type Selectable } from 'kysely';
import type { Db, DeliveriesTable } from '../../db/schema.ts';
import type { NotificationRow } from '../inbox/inbox.repository.ts';

export type DeliveryRow = Selectable<DeliveriesTable>;

/** Takes e-mails that are due, also those whose sender died. */
export const claimDeliveries = (db: Db, count: number, leaseMs: number): Promise<DeliveryRow[]> =>
  claimDue<DeliveryRow>(db, {
    table: 'deliveries',
    key: 'id',
    due: sql`state = 'queued' AND due_at <= now() OR state = 'sending' AND lease_until < now()`,
    order: sql`due_at`,
    limit: count,
    take: sql`state = 'sending', attempts = attempts + 1, lease_until = ${inMs(leaseMs)}`,
  });

export type DeliveryEnd =
  | { state: 'sent' | 'skipped' | 'failed'; reason: string | null }
  /** Tried again later. */
  | { retryInMs: number; reason: string }
  /** As if it had not been tried. */
  | { untried: string; until?: Date };

/** Ends an attempt; without effect when another worker has taken the e-mail since. */
export async function endDelivery(db: Db, delivery: DeliveryRow, end: DeliveryEnd): Promise<void> {
  const queued = { state: 'queued' as const, lease_until: null };
  const set =
    'untried' in end
      ? {
          ...queued,
          reason: end.untried,
          attempts: delivery.attempts - 1,
          ...(end.until ? { due_at: end.until } : {}),
        }
      : 'retryInMs' in end
        ? { ...queued, reason: end.reason, due_at: inMs(end.retryInMs) }
        : { state: end.state, reason: end.reason, lease_until: null, ended_at: sql<Date>`now()` };
  await db
    .updateTable('deliveries')
    .set(set)
    .where('id', '=', delivery.id)
    .where('state', '=', 'sending')
    .where('attempts', '=', delivery.attempts)
    .execute();
}

/** What an e-mail brings; undefined once its reader's account is gone. */
export const notificationOf = (db: Db, delivery: DeliveryRow): Promise<NotificationRow | undefined> =>
  db.selectFrom('notifications').selectAll().where('id', '=', delivery.notification_id).executeTakeFirst();

export type CausedRow = Pick<DeliveryRow, 'channel' | 'state' | 'created_at' | 'ended_at'> &
  Pick<NotificationRow, 'kind' | 'user_id'>;

/** E-mails about a document that a user has caused, newest first. */
export const causedBy = (db: Db, actorId: string, documentId: string): Promise<CausedRow[]> =>
  db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.id', 'deliveries.notification_id')
    .select(['channel', 'state', 'deliveries.created_at', 'ended_at', 'kind', 'user_id'])
    .where('actor_id', '=', actorId)
    .where('document_id', '=', documentId)
    .orderBy('deliveries.id', 'desc')
    .limit(200)
    .execute();

export type Waiting = { waiting: number; age: number };

/** How many e-mails are due and not sent, and for how many seconds the oldest of them. One put off until later does not wait. */
export async function readWaiting(db: Db): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
    FROM deliveries WHERE state IN ('queued', 'sending') AND due_at <= now()`.execute(db);
  return rows[0] ?? { waiting: 0, age: 0 };
}
