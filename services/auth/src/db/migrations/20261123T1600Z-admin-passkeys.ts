import { sql, type Kysely } from 'kysely';

/** Admins' passkeys: public keys, of which a thief of this table has nothing; and tries to make or use one. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
