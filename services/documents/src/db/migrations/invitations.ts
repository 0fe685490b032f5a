import { sql, type Kysely } from 'kysely';

export async function invitations(db: Kysely<unknown>): Promise<void> {
  // Counts the invitations of each sender for the daily limit.
  await sql`
    CREATE TABLE invitations (
      user_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX invitations_by_user ON invitations (user_id, at)`.execute(db);
  await sql`
    CREATE TABLE invitation_floods (
      user_id uuid PRIMARY KEY,
      told_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await openInvitations(db);
  await contacts(db);
  await textMessages(db);
}

/**
 * Invitations to a phone number or an e-mail address. The contact is personal data of a person who may have
 * no account, so it is stored only while the invitation is open (docs/adr/0078).
 */
async function openInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE open_invitations (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents,
      user_id uuid NOT NULL,
      channel text NOT NULL CHECK (channel IN ('phone', 'email')),
      contact text,
      language text,
      -- As of a party.
      answer_by text,
      -- The invited person's words about who signs instead, as data of a third person, and how often they were given.
      handed_on jsonb,
      hand_ons int NOT NULL DEFAULT 0,
      state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'withdrawn', 'cancelled')),
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      accepted_by uuid,
      ended_at timestamptz,
      sending text NOT NULL CHECK (sending IN
        ('none', 'queued', 'sending', 'sent', 'unconfirmed', 'delivered', 'failed', 'skipped')),
      -- Why the carrier did not deliver the SMS.
      cause text CHECK (cause IN ('unreachable', 'unknown_number', 'blocked', 'undelivered')),
      settled_at timestamptz,
      message_id uuid NOT NULL,
      asked_at timestamptz NOT NULL DEFAULT now(),
      attempts int NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz,
      CHECK (state = 'open' OR contact IS NULL AND handed_on IS NULL)
    )`.execute(db);
  await sql`
    CREATE UNIQUE INDEX open_invitations_once ON open_invitations (document_id, channel, contact)
    WHERE state = 'open'`.execute(db);
  await sql`CREATE INDEX open_invitations_by_user ON open_invitations (user_id)`.execute(db);
  await sql`
    CREATE INDEX open_invitations_to_send ON open_invitations (due_at)
    WHERE sending IN ('queued', 'sending')`.execute(db);
  await sql`
    CREATE INDEX open_invitations_to_forget ON open_invitations (expires_at)
    WHERE contact IS NOT NULL`.execute(db);
  await sql`
    CREATE TABLE invitation_links (
      token_hash text PRIMARY KEY,
      invitation_id uuid NOT NULL REFERENCES open_invitations ON DELETE CASCADE,
      created_at timestamptz NOT NULL DEFAULT now(),
      -- Only a link of a message of ours leads to the page that stops further ones.
      sent boolean NOT NULL DEFAULT false
    )`.execute(db);
  await sql`CREATE INDEX invitation_links_by_invitation ON invitation_links (invitation_id)`.execute(db);
}

/** Keyed hashes of contacts: messages of the last day, and stopped invitations (docs/adr/0090). */
async function contacts(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE contact_messages (
      contact_hash text NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX contact_messages_by_contact ON contact_messages (contact_hash, at)`.execute(db);
  await sql`
    CREATE TABLE contact_stops (
      contact_hash text NOT NULL,
      user_id uuid,
      created_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE NULLS NOT DISTINCT (contact_hash, user_id)
    )`.execute(db);
  await sql`CREATE INDEX contact_stops_by_user ON contact_stops (user_id) WHERE user_id IS NOT NULL`.execute(
    db,
  );
}

async function textMessages(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE text_messages (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
      user_id uuid NOT NULL,
      sender_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('invited', 'admitted', 'reminder', 'starts_soon', 'withdrawn')),
      -- What may be sent once only, such as the reminder three days before the start.
      once text UNIQUE,
      language text,
      state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'sent', 'skipped', 'failed')),
      reason text,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now(),
      ended_at timestamptz,
      -- The carrier's report.
      delivery text CHECK (delivery IN
        ('delivered', 'unreachable', 'unknown_number', 'blocked', 'undelivered')),
      reported_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX text_messages_open ON text_messages (due_at) WHERE state IN ('queued', 'sending')`.execute(
    db,
  );
  await sql`CREATE INDEX text_messages_by_party ON text_messages (document_id, user_id, kind, created_at)`.execute(
    db,
  );
  await sql`CREATE INDEX text_messages_by_sender ON text_messages (sender_id, created_at)`.execute(db);
  await sql`
    CREATE INDEX text_messages_of_beginnings ON text_messages (created_at) WHERE kind IN ('invited', 'admitted')`.execute(
    db,
  );
  await sql`CREATE TABLE text_message_settings (user_id uuid PRIMARY KEY, sms_notices boolean NOT NULL)`.execute(
    db,
  );
}
