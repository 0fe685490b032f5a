import { sql, type Kysely } from 'kysely';
import { COUNTERS_SQL } from './counters.sql.ts';

/**
 * One-time codes and every counter that holds somebody back, in Postgres; keys that rotate; sessions with a
 * device; second factors and the trail of admins; who shares a document; what is left of deleted accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COUNTERS_SQL).execute(db);
  await sql`
    CREATE TABLE signing_keys (
      kid text PRIMARY KEY,
      -- PKCS#8, sealed under a key that the database does not have.
      private_key bytea NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- When another key took over; its tokens live on until they expire.
      retired_at timestamptz
    )`.execute(db);

  await sql`ALTER TABLE sessions
    ADD COLUMN device text NOT NULL DEFAULT '',
    -- The first half of an address at most: enough to recognise oneself, too little to find somebody.
    ADD COLUMN network text NOT NULL DEFAULT ''`.execute(db);

  await sql`ALTER TABLE admins
    DROP COLUMN failures,
    DROP COLUMN locked_until,
    ADD COLUMN totp_secret bytea,
    ADD COLUMN totp_pending bytea,
    ADD COLUMN totp_last_step bigint NOT NULL DEFAULT 0`.execute(db);
  await sql`
    CREATE TABLE admin_recovery_codes (
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      digest text NOT NULL,
      PRIMARY KEY (admin_id, digest)
    )`.execute(db);
  // By the HMAC of the name, so that a name nobody has is held back like any other.
  await sql`
    CREATE TABLE admin_attempts (
      name_key text PRIMARY KEY,
      failures integer NOT NULL,
      locked_until timestamptz NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`.execute(db);
  await sql`
    CREATE TABLE admin_audit (
      id uuid PRIMARY KEY,
      admin_id uuid NOT NULL,
      action text NOT NULL,
      target_id uuid,
      reason text NOT NULL DEFAULT '',
      at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`.execute(db);
  await sql`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME;
    END $$`.execute(db);
  await sql`
    CREATE TRIGGER admin_audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db);

  await sql`
    CREATE TABLE shared_documents (
      document_id uuid PRIMARY KEY,
      people uuid[] NOT NULL,
      version bigint NOT NULL
    )`.execute(db);
  await sql`CREATE INDEX shared_documents_people ON shared_documents USING gin (people)`.execute(db);

  await sql`
    CREATE TABLE deleted_users (
      id uuid PRIMARY KEY,
      char_id text NOT NULL UNIQUE,
      deleted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- Until then the erasure of the person's blobs is repeated.
      blobs_erased_at timestamptz
    )`.execute(db);
}
