import { sql, type Kysely } from 'kysely';

/** Passkeys that sign approvals and confirm acts (docs/adr/0085), open statements, and signatures. */
export async function passkeys(db: Kysely<unknown>): Promise<void> {
  await keys(db);
  await signatures(db);
  await stepUp(db);
}

async function keys(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE signing_keys (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      name text NOT NULL,
      credential_id text NOT NULL UNIQUE,
      public_key bytea NOT NULL,
      counter bigint NOT NULL,
      transports text[] NOT NULL,
      synced boolean NOT NULL,
      photo_sha256 text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX signing_keys_by_user ON signing_keys (user_id, created_at)`.execute(db);
  await sql`
    CREATE TABLE signing_key_entries (
      id uuid PRIMARY KEY,
      key_id uuid NOT NULL,
      action text NOT NULL CHECK (action IN ('added', 'removed')),
      user_tag text NOT NULL,
      key_sha256 text NOT NULL,
      at text NOT NULL,
      entry_index bigint UNIQUE,
      UNIQUE (key_id, action)
    )`.execute(db);
  await sql`
    CREATE INDEX signing_key_entries_waiting ON signing_key_entries (id) WHERE entry_index IS NULL`.execute(
    db,
  );
  await sql`CREATE INDEX signing_key_entries_by_user ON signing_key_entries (user_tag)`.execute(db);
  await sql`
    CREATE TRIGGER signing_key_entries_stay
    BEFORE UPDATE OF id, key_id, action, user_tag, key_sha256, at OR DELETE OR TRUNCATE
    ON signing_key_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

async function signatures(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE signing_ceremonies (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      challenge text NOT NULL,
      photo_sha256 text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX signing_ceremonies_by_user ON signing_ceremonies (user_id)`.execute(db);
  await sql`
    CREATE TABLE signing_statements (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      document_id uuid NOT NULL,
      key_id uuid NOT NULL REFERENCES signing_keys ON DELETE CASCADE,
      statement text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX signing_statements_by_user ON signing_statements (user_id)`.execute(db);
  await sql`CREATE INDEX signing_statements_by_key ON signing_statements (key_id)`.execute(db);
  await sql`
    CREATE TABLE approval_signatures (
      approval_id uuid PRIMARY KEY REFERENCES approvals ON DELETE CASCADE,
      key_id uuid NOT NULL,
      public_key bytea NOT NULL,
      client_data bytea NOT NULL,
      authenticator_data bytea NOT NULL,
      signature bytea NOT NULL,
      enrolled_at text NOT NULL,
      enrolled_index bigint NOT NULL
    )`.execute(db);
  await sql`
    CREATE TRIGGER approval_signatures_stay BEFORE UPDATE OR TRUNCATE ON approval_signatures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

async function stepUp(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE step_up_statements (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL,
      act jsonb NOT NULL,
      statement text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX step_up_statements_by_user ON step_up_statements (user_id)`.execute(db);
  await sql`
    CREATE TABLE step_up_grant_keys (
      kid uuid PRIMARY KEY,
      x text NOT NULL,
      used_at timestamptz NOT NULL
    )`.execute(db);
}
