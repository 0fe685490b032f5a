import { sql, type Kysely } from 'kysely';

/**
 * Reminders that go out in the e-mail of another one (docs/adr/0091). The release before leaves them as they are, and the
 * next one sends them by themselves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deliveries ADD COLUMN leader_id uuid`.execute(db);
  await sql`
    ALTER TABLE deliveries ADD CONSTRAINT deliveries_leader_id_fkey
      FOREIGN KEY (leader_id) REFERENCES deliveries ON DELETE CASCADE NOT VALID`.execute(db);
  await sql`
    ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check, ADD CONSTRAINT deliveries_state_check
      CHECK (state IN ('queued', 'gathered', 'sending', 'sent', 'skipped', 'failed')) NOT VALID`.execute(db);
}
