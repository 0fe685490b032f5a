import { busTables, directoryTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await directoryTables(db);
  await notifications(db);
  await deliveries(db);
  await preferenceTables(db);
  // A new consumer receives the events of the last 30 days. Users get no notifications of events from before
  // this moment.
  await sql`CREATE TABLE beginning (at timestamptz NOT NULL DEFAULT now())`.execute(db);
  await sql`INSERT INTO beginning DEFAULT VALUES`.execute(db);
}

async function notifications(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE notifications (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      kind text NOT NULL,
      event_id text NOT NULL,
      document_id uuid,
      document_name text,
      owner_id uuid,
      actor_id uuid,
      reason text,
      amount_paise bigint,
      -- For a changed share: the amount before.
      replaced_paise bigint,
      -- A day in India, YYYY-MM-DD.
      answer_by text,
      in_app boolean NOT NULL,
      read_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (event_id, user_id, kind)
    )`.execute(db);
  await sql`CREATE INDEX notifications_by_user ON notifications (user_id, id DESC)`.execute(db);
  await sql`
    CREATE INDEX notifications_unread ON notifications (user_id) WHERE in_app AND read_at IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX notifications_by_actor ON notifications (actor_id, document_id)`.execute(db);
  await sql`CREATE INDEX notifications_by_age ON notifications (created_at)`.execute(db);
  await sql`CREATE TABLE list_versions (user_id uuid PRIMARY KEY, version integer NOT NULL)`.execute(db);
}

async function deliveries(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE deliveries (
      id uuid PRIMARY KEY,
      notification_id uuid NOT NULL REFERENCES notifications ON DELETE CASCADE,
      channel text NOT NULL CHECK (channel IN ('email', 'sms', 'whatsapp')),
      -- The reminder whose e-mail contains this one (docs/adr/0091).
      leader_id uuid REFERENCES deliveries ON DELETE CASCADE,
      state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'batched', 'sending', 'sent', 'skipped', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz,
      reason text,
      -- When the SMS or WhatsApp message was counted for the daily limit of its receiver.
      counted_at timestamptz,
      -- The carrier's report about an SMS, or Meta's about a WhatsApp message.
      report text CHECK (report IN ('delivered', 'unreachable', 'unknown_number', 'blocked', 'undelivered')),
      reported_at timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      UNIQUE (notification_id, channel)
    )`.execute(db);
  await sql`CREATE INDEX deliveries_due ON deliveries (channel, due_at) WHERE state = 'queued'`.execute(db);
  await sql`CREATE INDEX deliveries_leased ON deliveries (channel, lease_until) WHERE state = 'sending'`.execute(
    db,
  );
  await sql`CREATE INDEX deliveries_by_leader ON deliveries (leader_id) WHERE leader_id IS NOT NULL`.execute(
    db,
  );
}

async function preferenceTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE preferences (
      user_id uuid NOT NULL,
      kind text NOT NULL,
      channel text NOT NULL,
      wanted boolean NOT NULL,
      PRIMARY KEY (user_id, kind, channel)
    )`.execute(db);
  await sql`
    CREATE TABLE settings (
      user_id uuid PRIMARY KEY,
      quiet_from smallint,
      quiet_until smallint,
      names_in_subjects boolean NOT NULL DEFAULT false,
      attach_sealed boolean NOT NULL DEFAULT false
    )`.execute(db);
}
