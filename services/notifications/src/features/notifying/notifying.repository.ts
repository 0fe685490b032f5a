import type { Chosen, NotificationKind } from '@karaar/contracts/notifications/kinds';
import { uuidv7, type Tx, prepared } from '@karaar/db';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Channel } from '../deliveries/deliveries.repository.ts';
import type { Database, Db, NotificationsTable, SettingsTable } from '../../db/schema.ts';

export type RecipientSettings = Pick<Selectable<SettingsTable>, 'quiet_from' | 'quiet_until'> & {
  /** True if the account was deleted. A late event must not store data about that user again. */
  is_gone: boolean;
  /** The channels that the user has switched for this kind. */
  chosen: Chosen;
};

/** Returns the user's preferences for each user and kind, in the order of `recipients`. */
export async function recipientSettings(
  db: Db,
  recipients: readonly { userId: string; kind: NotificationKind }[],
): Promise<RecipientSettings[]> {
  const { rows } = await prepared(
    'wishes',
    sql<RecipientSettings>`
    SELECT coalesce(NOT d.is_active AND d.phone_no = '', false) AS is_gone, s.quiet_from, s.quiet_until,
      coalesce((
        SELECT jsonb_object_agg(p.channel, p.wanted) FROM preferences p
        WHERE p.user_id = a.user_id AND p.kind = a.kind
      ), '{}') AS chosen
    FROM unnest(${recipients.map(({ userId }) => userId)}::uuid[], ${recipients.map(({ kind }) => kind)}::text[])
      WITH ORDINALITY AS a (user_id, kind, at)
    LEFT JOIN directory d ON d.user_id = a.user_id
    LEFT JOIN settings s ON s.user_id = a.user_id
    ORDER BY a.at`,
  ).execute(db);
  return rows;
}

/** Inserts notifications, and returns the ids of the new ones. An event creates one per user and kind. */
export async function insertNotifications(
  tx: Tx<Database>,
  notifications: readonly Insertable<NotificationsTable>[],
): Promise<ReadonlySet<string>> {
  const { rows } = await prepared(
    'insert_notifications',
    sql<{ id: string }>`
    INSERT INTO notifications (id, user_id, kind, event_id, document_id, document_name,
      owner_id, actor_id, reason, amount_paise, replaced_paise, answer_by, in_app)
    SELECT id, user_id, kind, event_id, document_id, document_name, owner_id, actor_id, reason, amount_paise,
      replaced_paise, answer_by, in_app
    FROM jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) AS n (id uuid, user_id uuid, kind text,
      event_id text, document_id uuid, document_name text, owner_id uuid, actor_id uuid, reason text,
      amount_paise bigint, replaced_paise bigint, answer_by text, in_app boolean)
    ON CONFLICT (event_id, user_id, kind) DO NOTHING RETURNING id`,
  ).execute(tx);
  return new Set(rows.map(({ id }) => id));
}

export type NewDelivery = {
  notificationId: string;
  channel: Channel;
  dueAt: Date;
  leaderId?: string | undefined;
};

export async function queueDeliveries(tx: Tx<Database>, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const column = <T>(read: (delivery: NewDelivery) => T) => deliveries.map(read);
  await prepared(
    'queue_deliveries',
    sql`
    INSERT INTO deliveries (id, notification_id, channel, due_at, leader_id, state)
    SELECT id, notification_id, channel, due_at, leader_id,
      CASE WHEN leader_id IS NULL THEN 'queued' ELSE 'batched' END
    FROM unnest(${column(() => uuidv7())}::uuid[], ${column(({ notificationId }) => notificationId)}::uuid[],
      ${column(({ channel }) => channel)}::text[], ${column(({ dueAt }) => dueAt.toISOString())}::timestamptz[],
      ${column(({ leaderId }) => leaderId ?? null)}::uuid[])
      AS d (id, notification_id, channel, due_at, leader_id)`,
  ).execute(tx);
}

/** Returns the moment from which events cause notifications. */
export async function beganAt(db: Db): Promise<Date> {
  return (await db.selectFrom('beginning').select('at').executeTakeFirstOrThrow()).at;
}
