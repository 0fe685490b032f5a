import { busTables } from '@karaar/platform/frozen-tables';
import { sql, type Kysely } from 'kysely';

/** The auth database: users, sessions, admins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await busTables(db);
  await sql`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      char_id text NOT NULL UNIQUE CHECK (char_id ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
      name text NOT NULL,
      email text NOT NULL,
      phone_no text NOT NULL UNIQUE CHECK (phone_no ~ '^\\+91[0-9]{10}$'),
      city text NOT NULL,
      state text NOT NULL,
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
  await sql`CREATE INDEX users_name ON users (lower(name) text_pattern_ops)`.execute(db);
  await sql`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      subject_id uuid NOT NULL,
      audience text NOT NULL CHECK (audience IN ('user', 'admin')),
      created_at timestamptz NOT NULL DEFAULT now(),
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz
    )`.execute(db);
  await sql`CREATE INDEX sessions_by_subject ON sessions (subject_id) WHERE revoked_at IS NULL`.execute(db);
  await sql`
    CREATE TABLE admins (
      id uuid PRIMARY KEY,
      username text NOT NULL UNIQUE,
      password_hash text NOT NULL,
      role text NOT NULL CHECK (role IN ('super-admin', 'support', 'editor')),
      failures integer NOT NULL DEFAULT 0,
      locked_until timestamptz,
      created_at timestamptz NOT NULL DEFAULT now()
    )`.execute(db);
}
