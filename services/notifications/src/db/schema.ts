import type { NotificationChannel, NotificationKind } from '@karaar/contracts/notifications/kinds';
import type { DirectoryTable } from '@karaar/bus/directory';
import type { SmsReport } from '@karaar/sms';
import type { ColumnType, Generated, Kysely } from 'kysely';

export type NotificationsTable = {
  id: string;
  user_id: string;
  kind: NotificationKind;
  /** The event that caused it. An event causes at most one notification per user and kind. */
  event_id: string;
  document_id: string | null;
  document_name: string | null;
  /** The creator of the document, who decides whether its name may be in e-mail subjects. */
  owner_id: string | null;
  actor_id: string | null;
  reason: string | null;
  amount_paise: ColumnType<string | null, number | null, never>;
  /** For a changed share: the amount before. */
  replaced_paise: ColumnType<string | null, number | null | undefined, never>;
  /** Set for an invitation and a reminder: the day by which the user was asked to answer. */
  answer_by: ColumnType<string | null, string | null | undefined, never>;
  /** True if the user wanted this kind in the list when the event arrived. */
  in_app: boolean;
  read_at: ColumnType<Date | null, never, Date>;
  created_at: ColumnType<Date, never, never>;
};

/** A `batched` delivery goes out in the e-mail of its leader. */
export type DeliveryState = 'queued' | 'batched' | 'sending' | 'sent' | 'skipped' | 'failed';

export type DeliveriesTable = {
  id: string;
  notification_id: string;
  channel: Exclude<NotificationChannel, 'app'>;
  /** For a reminder that goes out with others: the delivery whose e-mail contains it. */
  leader_id: ColumnType<string | null, string | undefined, string | null>;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  due_at: ColumnType<Date, Date | undefined, Date>;
  lease_until: ColumnType<Date | null, never, Date | null>;
  reason: ColumnType<string | null, never, string | null>;
  counted_at: ColumnType<Date | null, never, never>;
  report: ColumnType<SmsReport | null, never, SmsReport>;
  reported_at: ColumnType<Date | null, never, Date>;
  created_at: ColumnType<Date, never, never>;
  ended_at: ColumnType<Date | null, never, Date>;
};

/** One row per notified user. Its lock keeps the versions of a user's unread counts in order. */
export type ListVersionsTable = { user_id: string; version: number };

export type PreferencesTable = {
  user_id: string;
  kind: NotificationKind;
  channel: NotificationChannel;
  wanted: boolean;
};

export type SettingsTable = {
  user_id: string;
  quiet_from: number | null;
  quiet_until: number | null;
  names_in_subjects: Generated<boolean>;
  attach_sealed: Generated<boolean>;
};

export type Database = {
  notifications: NotificationsTable;
  deliveries: DeliveriesTable;
  list_versions: ListVersionsTable;
  preferences: PreferencesTable;
  settings: SettingsTable;
  beginning: { at: ColumnType<Date, never, never> };
  directory: DirectoryTable;
};

export type Db = Kysely<Database>;
