/** E-mails and SMS to send: rows with a lease, written in the transaction of their notification. */
import { claimDue, inMs } from '@karaar/db/claims';
import { prepared, uuidv7 } from '@karaar/db';
import type { SmsReport } from '@karaar/sms';
import { sql, type Selectable } from 'kysely';
import type { Db, DeliveriesTable, SettingsTable } from '../../db/schema.ts';
import type { NotificationRow } from '../inbox/inbox.repository.ts';

/** The reason of a message that the recipient's server or the SMS provider refused for good. */
export const REFUSED = "the server's answer: refused";
/** The reason of an SMS that a worker may have sent before it died, if the provider cannot tell. */
export const UNCONFIRMED = 'not confirmed';

/** A message that is older would confuse its recipient more than it helps. */
export const TOO_LATE_MS = 3 * 24 * 60 * 60_000;

export type DeliveryRow = Selectable<DeliveriesTable>;
export type Channel = DeliveryRow['channel'];
/** `taken` if an earlier attempt has ended without a result, and may have sent the message. */
export type ClaimedRow = DeliveryRow & { taken: boolean };

/** Claims messages that are due, and those whose lease has expired. */
export const claimDeliveries = (
  db: Db,
  channel: Channel,
  count: number,
  leaseMs: number,
): Promise<ClaimedRow[]> =>
  claimDue<ClaimedRow>(db, {
    table: 'deliveries',
    key: 'id',
    due: sql`channel = ${channel} AND
      (state = 'queued' AND due_at <= now() OR state = 'sending' AND lease_until < now())`,
    order: sql`due_at`,
    limit: count,
    take: sql`state = 'sending', attempts = attempts + 1, lease_until = ${inMs(leaseMs)}`,
    before: { name: 'taken', value: sql`state = 'sending'` },
  });

type Ended = { state: 'sent' | 'skipped' | 'failed'; reason: string | null };
export type DeliveryEnd =
  /** Applies to all notifications in the message; `own` overrides it for the delivery's own notification. */
  | (Ended & { own?: Ended | undefined })
  | { retryInMs: number; reason: string }
  /** Does not count as an attempt. */
  | { untried: string; until?: Date };

/**
 * Queues an SMS for each notification in `failed` (`notification_id`, `sms_id`), which did not come by WhatsApp, in
 * the statement that records it. A user who chose both channels has the SMS already.
 */
const smsForFailed = sql`
  INSERT INTO deliveries (id, notification_id, channel)
  SELECT sms_id, notification_id, 'sms' FROM failed JOIN notifications n ON n.id = notification_id
  WHERE n.created_at > now() - ${TOO_LATE_MS} * interval '1 millisecond'
  ON CONFLICT (notification_id, channel) DO NOTHING`;

/** True for a WhatsApp message `d` that did not arrive. It has not rung the phone. */
export const failedByWhatsapp = sql<boolean>`
  (d.channel = 'whatsapp' AND coalesce(d.report <> 'delivered', d.state = 'failed'))`;

/**
 * Records Meta's report about a message. Meta may report a failure of one of a user's devices before or after
 * the delivery to another, so `delivered` replaces a failure and is final.
 */
export async function noteWhatsappReport(db: Db, id: string, report: SmsReport): Promise<void> {
  await sql`
    WITH reported AS (
      UPDATE deliveries SET report = ${report}, reported_at = now()
      WHERE id = ${id} AND channel = 'whatsapp'
        AND (report IS NULL OR ${report} = 'delivered' AND report <> 'delivered')
      RETURNING notification_id, report
    ), failed AS (
      SELECT notification_id, ${uuidv7()}::uuid AS sms_id FROM reported WHERE report <> 'delivered'
    )
    ${smsForFailed}`.execute(db);
}

/**
 * Ends attempts in one statement. It changes nothing for a message that another worker has claimed meanwhile.
 */
export async function endDeliveries(
  db: Db,
  ends: readonly { delivery: DeliveryRow; end: DeliveryEnd }[],
): Promise<void> {
  const rows = ends.map(({ delivery: { id, attempts }, end }) => ({
    id,
    attempts,
    sms_id: uuidv7(),
    ...columnsOf(end),
  }));
  await prepared(
    'end_deliveries',
    sql`
    WITH ended AS (
      UPDATE deliveries d SET state = e.state, reason = e.reason, lease_until = NULL,
        attempts = CASE WHEN e.untried THEN d.attempts - 1 ELSE d.attempts END,
        due_at = coalesce(e.due_at, now() + e.retry_in_ms * interval '1 millisecond', d.due_at),
        ended_at = CASE WHEN e.state = 'queued' THEN d.ended_at ELSE now() END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (id uuid, attempts integer, state text, reason text,
        untried boolean, due_at timestamptz, retry_in_ms float8, members_state text, members_reason text, sms_id uuid)
      WHERE d.id = e.id AND d.state = 'sending' AND d.attempts = e.attempts
      RETURNING d.id, d.notification_id, d.channel, d.state, e.members_state, e.members_reason, e.sms_id
    ), failed AS (
      SELECT notification_id, sms_id FROM ended WHERE channel = 'whatsapp' AND state = 'failed'
    ), replaced AS (${smsForFailed})
    UPDATE deliveries m SET state = members_state, reason = members_reason, ended_at = now()
    FROM ended
    -- The array condition makes the planner use the index on leader_id.
    WHERE m.leader_id = ANY(ARRAY(SELECT id FROM ended WHERE members_state IS NOT NULL))
      AND m.leader_id = ended.id AND m.state = 'batched'`,
  ).execute(db);
}

function columnsOf(end: DeliveryEnd) {
  if ('untried' in end) return { state: 'queued', reason: end.untried, untried: true, due_at: end.until };
  if ('retryInMs' in end) return { state: 'queued', reason: end.reason, retry_in_ms: end.retryInMs };
  const { state, reason } = end.own ?? end;
  return { state, reason, members_state: end.state, members_reason: end.reason };
}

/** A notification in a message, with the settings and names that the message needs. */
export type Item = NotificationRow &
  Pick<Selectable<SettingsTable>, 'quiet_from' | 'quiet_until'> & {
    delivery_id: string;
    mail_id: string;
    /**
     * The user's choice for this kind and channel; null if the user has not chosen. True for an SMS that replaces a
     * failed WhatsApp message.
     */
    wanted: boolean | null;
    actor_name: string | null;
    name_in_subject: boolean;
    attach_sealed: boolean;
  };

const choiceOf = (channel: Channel) => sql<boolean | null>`(
  SELECT p.wanted FROM preferences p
  WHERE p.user_id = n.user_id AND p.kind = n.kind AND p.channel = ${channel}
)`;

/** Returns the notifications in these messages: for each its own first, then its members, oldest first. */
export async function itemsOf(db: Db, channel: Channel, deliveries: readonly DeliveryRow[]): Promise<Item[]> {
  const { rows } = await sql<Item>`
    SELECT n.*, m.delivery_id, m.mail_id, s.quiet_from, s.quiet_until, a.name AS actor_name,
      coalesce(o.names_in_subjects, false) AS name_in_subject, coalesce(s.attach_sealed, false) AS attach_sealed,
      coalesce(${choiceOf(channel)}, (
        -- The SMS replaces a WhatsApp message.
        SELECT ${failedByWhatsapp} AND ${choiceOf('whatsapp')} FROM deliveries d
        WHERE ${channel} = 'sms' AND d.notification_id = n.id AND d.channel = 'whatsapp'
      )) AS wanted
    FROM unnest(${deliveries.map(({ id }) => id)}::uuid[]) AS mail (id),
      LATERAL (
        SELECT d.id AS delivery_id, mail.id AS mail_id, d.notification_id FROM deliveries d WHERE d.id = mail.id
        UNION ALL
        SELECT d.id, mail.id, d.notification_id FROM deliveries d
        WHERE d.leader_id = mail.id AND d.state = 'batched'
      ) m
    JOIN notifications n ON n.id = m.notification_id
    LEFT JOIN settings s ON s.user_id = n.user_id
    LEFT JOIN settings o ON o.user_id = n.owner_id
    LEFT JOIN directory a ON a.user_id = n.actor_id
    ORDER BY m.delivery_id <> m.mail_id, m.delivery_id`.execute(db);
  return rows;
}

export type CausedRow = Pick<DeliveryRow, 'channel' | 'state' | 'reason' | 'report' | 'created_at'> &
  Pick<NotificationRow, 'kind' | 'user_id'> & { at: Date };

/**
 * Returns the messages about a document that a user has caused, newest first. Skipped SMS are left out, because
 * they reveal how many SMS others cause.
 */
export const causedBy = (db: Db, actorId: string, documentId: string): Promise<CausedRow[]> =>
  db
    .selectFrom('deliveries')
    .innerJoin('notifications', 'notifications.id', 'deliveries.notification_id')
    .select(['channel', 'state', 'deliveries.reason', 'report', 'deliveries.created_at', 'kind', 'user_id'])
    .select(sql<Date>`coalesce(reported_at, ended_at, deliveries.created_at)`.as('at'))
    .where('actor_id', '=', actorId)
    .where('document_id', '=', documentId)
    .where(({ or, eb }) => or([eb('channel', '=', 'email'), eb('state', '<>', 'skipped')]))
    .orderBy('deliveries.id', 'desc')
    .limit(200)
    .execute();

/** Records the carrier's report about an SMS. No effect after the first one. */
export async function noteReport(db: Db, id: string, report: SmsReport): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ report, reported_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('channel', '=', 'sms')
    .where('report', 'is', null)
    .execute();
}

export type Waiting = { waiting: number; age: number };

/**
 * Returns how many messages are due but not sent, and the age of the oldest in seconds. Postponed ones do not
 * count.
 */
export async function readWaiting(db: Db, channel: Channel): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
    FROM deliveries WHERE channel = ${channel} AND state IN ('queued', 'sending') AND due_at <= now()`.execute(
    db,
  );
  return rows[0] ?? { waiting: 0, age: 0 };
}
