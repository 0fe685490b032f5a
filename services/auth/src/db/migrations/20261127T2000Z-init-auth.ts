import { busTables, counterTables } from '@karaar/db/shared-tables';
import { sql, type Kysely } from 'kysely';
import { COUNTERS_SQL } from './counters.sql.ts';

/** The auth database: users, sessions, one-time codes, limits, admins, and the parties of each document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`.execute(db);
  await busTables(db);
  await users(db);
  await sessions(db);
  await sql.raw(COUNTERS_SQL).execute(db);
  await admins(db);
  await passkeys(db);
  await audit(db);
  await documents(db);
}

async function users(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      char_id text NOT NULL UNIQUE CHECK (char_id ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
      name text NOT NULL,
      email text NOT NULL,
      -- When the address was proved by a code that was sent to it; null for an address that was only typed.
      email_proved_at timestamptz,
      phone_no text NOT NULL UNIQUE CHECK (phone_no ~ '^\\+91[0-9]{10}$'),
      -- The number that the account gets after the waiting time, because the present one is lost.
      moving_to text,
      moves_at timestamptz,
      city text NOT NULL,
      state text NOT NULL,
      -- Null until the user's browser has said it.
      language text CHECK (language IN ('en', 'hi', 'ta', 'bn', 'mr', 'te')),
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
      is_admin boolean NOT NULL DEFAULT false,
      govt_id_type text,
      -- AES-256-GCM: nonce, ciphertext, tag. The number itself is in no log, event or index.
      govt_id_number bytea,
      govt_id_image text,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`CREATE UNIQUE INDEX users_email ON users (lower(email))`.execute(db);
  await sql`CREATE INDEX users_moving ON users (moves_at) WHERE moves_at IS NOT NULL`.execute(db);
  // Admins search for any part of a name or e-mail.
  await sql`CREATE INDEX users_name_search ON users USING gin ((' ' || lower(name)) gin_trgm_ops)`.execute(
    db,
  );
  await sql`CREATE INDEX users_email_search ON users USING gin (lower(email) gin_trgm_ops)`.execute(db);
  await sql`CREATE INDEX users_by_age ON users (created_at, id)`.execute(db);
  await sql`CREATE INDEX users_by_status ON users (status, created_at, id)`.execute(db);
  await sql`CREATE INDEX users_by_name ON users (lower(name), id)`.execute(db);
  await counterTables(db, { table: 'users', kind: ['status'] });
  await sql`
    CREATE TABLE deleted_users (
      id uuid PRIMARY KEY,
      char_id text NOT NULL UNIQUE,
      deleted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- Until then the erasure of the person's blobs is repeated.
      blobs_erased_at timestamptz
    )`.execute(db);
}

async function sessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      subject_id uuid NOT NULL,
      audience text NOT NULL CHECK (audience IN ('user', 'admin')),
      device text NOT NULL DEFAULT '',
      -- The first half of an address at most: enough to recognise oneself, too little to find a person.
      network text NOT NULL DEFAULT '',
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      -- The act that the session may perform once, because a code to the account's number confirmed it. An HMAC: the act may
      -- name a number.
      confirmed_act text,
      confirmed_until timestamptz
    )`.execute(db);
  await sql`CREATE INDEX sessions_by_subject ON sessions (subject_id) WHERE revoked_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE signing_keys (
      kid text PRIMARY KEY,
      -- PKCS#8, sealed under a key that the database does not have.
      private_key bytea NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- When another key took over; its tokens live on until they expire.
      retired_at timestamptz
    )`.execute(db);
}

async function admins(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE admins (
      id uuid PRIMARY KEY,
      username text NOT NULL UNIQUE,
      password_hash text NOT NULL,
      role text NOT NULL CHECK (role IN ('super-admin', 'support', 'editor')),
      totp_secret bytea,
      totp_pending bytea,
      totp_last_step bigint NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
  await sql`
    CREATE TABLE admin_recovery_codes (
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      digest text NOT NULL,
      PRIMARY KEY (admin_id, digest)
    )`.execute(db);
  // Keyed by the HMAC of the name, so that unknown names are limited like known ones.
  await sql`
    CREATE TABLE admin_attempts (
      name_key text PRIMARY KEY,
      failures integer NOT NULL,
      locked_until timestamptz NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`.execute(db);
  // HMACs of addresses from which an admin has signed in with both factors. Failures from other addresses do
  // not lock the admin out there.
  await sql`
    CREATE TABLE admin_places (
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      place_key text NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (admin_id, place_key)
    )`.execute(db);
}

async function passkeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE admin_passkeys (
      id uuid PRIMARY KEY,
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      credential_id text NOT NULL UNIQUE,
      public_key bytea NOT NULL,
      counter bigint NOT NULL,
      transports text[] NOT NULL,
      synced boolean NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      last_used_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX admin_passkeys_of_admin ON admin_passkeys (admin_id)`.execute(db);
  await sql`
    CREATE TABLE passkey_ceremonies (
      id uuid PRIMARY KEY,
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      purpose text NOT NULL CHECK (purpose IN ('use', 'first', 'recover', 'add')),
      challenge text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  // Each grant confirms one act (docs/adr/0085).
  await sql`CREATE TABLE used_step_ups (id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)`.execute(db);
}

async function audit(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE admin_audit (
      id uuid PRIMARY KEY,
      admin_id uuid NOT NULL,
      action text NOT NULL,
      -- Orders and refunds of the card provider have IDs that are not UUIDs.
      target_id text,
      target text NOT NULL DEFAULT '',
      reason text NOT NULL DEFAULT '',
      at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`.execute(db);
  await sql`CREATE INDEX admin_audit_by_time ON admin_audit (at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_action ON admin_audit (action text_pattern_ops, at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_admin ON admin_audit (admin_id, at, id)`.execute(db);
  await sql`CREATE INDEX admin_audit_by_target ON admin_audit (target_id, at, id)`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER admin_audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE shared_documents (
      document_id uuid PRIMARY KEY,
      people uuid[] NOT NULL,
      version bigint NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX shared_documents_people ON shared_documents USING gin (people)`.execute(db);
  // Proofs, valid for two hours, that a person controls the number or address of an invitation. Neither
  // contact nor proof is stored in clear.
  await sql`
    CREATE TABLE contact_proofs (
      proof_hash text PRIMARY KEY,
      invitation_id uuid NOT NULL,
      contact_key text NOT NULL,
      expires_at timestamptz NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX contact_proofs_by_expiry ON contact_proofs (expires_at)`.execute(db);
}
