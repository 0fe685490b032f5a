import { sql, type Kysely } from 'kysely';

/**
 * Contacts that want no invitations (docs/adr/0090), by a keyed hash; and which links went out in a message of ours: only
 * these lead to the page that stops further ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await sql`ALTER TABLE invitation_links ADD COLUMN sent boolean NOT NULL DEFAULT false`.execute(db);
}
