import { sql, type Kysely } from 'kysely';

/** Acts that wait for a passkey to confirm them, and the public keys of the grants that were given out (docs/adr/0085). */
export async function up(db: Kysely<unknown>): Promise<void> {
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
