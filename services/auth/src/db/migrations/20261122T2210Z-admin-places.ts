import { sql, type Kysely } from 'kysely';

/**
 * From where an admin has signed in with both factors: what others do elsewhere locks nobody out there. An address is
 * kept as its HMAC.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE admin_places (
      admin_id uuid NOT NULL REFERENCES admins ON DELETE CASCADE,
      place_key text NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (admin_id, place_key)
    )`.execute(db);
}
