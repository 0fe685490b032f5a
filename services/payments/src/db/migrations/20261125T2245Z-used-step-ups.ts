import { sql, type Kysely } from 'kysely';

/** Grants that were used: each confirms one payment (docs/adr/0085). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE used_step_ups (id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)`.execute(db);
}
