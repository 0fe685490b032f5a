import { sql, type Kysely } from 'kysely';

/**
 * Invitations to a phone number or an e-mail address. The contact is a stranger's personal data: it is there while the
 * invitation is open and no longer (docs/adr/0078). Links are kept by the hash of their token.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE open_invitations (
      id uuid PRIMARY KEY,
      document_id uuid NOT NULL REFERENCES documents (id),
      user_id uuid NOT NULL,
      channel text NOT NULL CHECK (channel IN ('phone', 'email')),
      contact text,
      language text,
      state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'withdrawn')),
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      accepted_by uuid,
      ended_at timestamptz,
      sending text NOT NULL CHECK (sending IN ('none', 'queued', 'sending', 'sent', 'unconfirmed', 'failed', 'skipped')),
      message_id uuid NOT NULL,
      asked_at timestamptz NOT NULL DEFAULT now(),
      attempts int NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now(),
      lease_until timestamptz,
      CHECK (state = 'open' OR contact IS NULL)
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
      invitation_id uuid NOT NULL REFERENCES open_invitations (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX invitation_links_by_invitation ON invitation_links (invitation_id)`.execute(db);
  await sql`
    CREATE TABLE contact_messages (
      contact_hash text NOT NULL,
      at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE INDEX contact_messages_by_contact ON contact_messages (contact_hash, at)`.execute(db);
}
