/** E-mails to send: rows with a lease, written with the notification that they bring. */
import { claimDue, inMs } from '@karaar/platform/worker';
import { sql, type Selectable } from 'kysely';
import type { Db, DeliveriesTable, SettingsTable } from '../../db/schema.ts';
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

type Ended = { state: 'sent' | 'skipped' | 'failed'; reason: string | null };
export type DeliveryEnd =
  /** With all that the e-mail brings; `own` is what becomes of the delivery's own notification, where that differs. */
  | (Ended & { own?: Ended | undefined })
  /** Tried again later. */
  | { retryInMs: number; reason: string }
  /** As if it had not been tried. */
  | { untried: string; until?: Date };

/** Ends attempts in one statement; without effect on an e-mail that another worker has taken since. */
export async function endDeliveries(
  db: Db,
  ends: readonly { delivery: DeliveryRow; end: DeliveryEnd }[],
): Promise<void> {
  const given = ends.map(({ delivery: { id, attempts }, end }) => ({ id, attempts, ...columnsOf(end) }));
  await sql`
    /*keep end_deliveries*/ WITH ended AS (
      UPDATE deliveries d SET state = e.state, reason = e.reason, lease_until = NULL,
        attempts = CASE WHEN e.untried THEN d.attempts - 1 ELSE d.attempts END,
        due_at = coalesce(e.due_at, now() + e.retry_in_ms * interval '1 millisecond', d.due_at),
        ended_at = CASE WHEN e.state = 'queued' THEN d.ended_at ELSE now() END
      FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS e (id uuid, attempts integer, state text, reason text,
        untried boolean, due_at timestamptz, retry_in_ms float8, members_state text, members_reason text)
      WHERE d.id = e.id AND d.state = 'sending' AND d.attempts = e.attempts
      RETURNING d.id, e.members_state, e.members_reason
    )
    UPDATE deliveries m SET state = members_state, reason = members_reason, ended_at = now()
    FROM ended
    -- As an array as well, so that the index finds the members, whatever the planner expects.
    WHERE m.leader_id = ANY(ARRAY(SELECT id FROM ended WHERE members_state IS NOT NULL))
      AND m.leader_id = ended.id AND m.state = 'gathered'`.execute(db);
}

function columnsOf(end: DeliveryEnd) {
  if ('untried' in end) return { state: 'queued', reason: end.untried, untried: true, due_at: end.until };
  if ('retryInMs' in end) return { state: 'queued', reason: end.reason, retry_in_ms: end.retryInMs };
  const { state, reason } = end.own ?? end;
  return { state, reason, members_state: end.state, members_reason: end.reason };
}

/** A notification that an e-mail brings, with the settings and names that the e-mail needs. */
export type MailItem = NotificationRow &
  Pick<Selectable<SettingsTable>, 'quiet_from' | 'quiet_until'> & {
    delivery_id: string;
    /** The delivery whose e-mail brings it: its own or its leader. */
    mail_id: string;
    /** Whether its reader has switched off e-mails of this kind. */
    email_off: boolean;
    actor_name: string | null;
    /** Whether the creator of the document allows its name in subjects. */
    name_in_subject: boolean;
  };

/** The notifications that these e-mails bring: of each first its own, and then the gathered ones, oldest first. */
export async function mailItemsOf(db: Db, deliveries: readonly DeliveryRow[]): Promise<MailItem[]> {
  const { rows } = await sql<MailItem>`
    SELECT n.*, m.delivery_id, m.mail_id, s.quiet_from, s.quiet_until, a.name AS actor_name,
      coalesce(o.names_in_subjects, false) AS name_in_subject,
      EXISTS (
        SELECT FROM preferences p
        WHERE p.user_id = n.user_id AND p.kind = n.kind AND p.channel = 'email' AND NOT p.wanted
      ) AS email_off
    FROM unnest(${deliveries.map(({ id }) => id)}::uuid[]) AS mail (id),
      LATERAL (
        SELECT d.id AS delivery_id, mail.id AS mail_id, d.notification_id FROM deliveries d WHERE d.id = mail.id
        UNION ALL
        SELECT d.id, mail.id, d.notification_id FROM deliveries d
        WHERE d.leader_id = mail.id AND d.state = 'gathered'
      ) m
    JOIN notifications n ON n.id = m.notification_id
    LEFT JOIN settings s ON s.user_id = n.user_id
    LEFT JOIN settings o ON o.user_id = n.owner_id
    LEFT JOIN directory a ON a.user_id = n.actor_id
    ORDER BY m.delivery_id <> m.mail_id, m.delivery_id`.execute(db);
  return rows;
}

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
