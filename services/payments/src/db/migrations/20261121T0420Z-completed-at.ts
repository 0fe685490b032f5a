import { sql, type Kysely } from 'kysely';

/** When a payment was completed, for its receipt; null for those completed before this was kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE payments ADD COLUMN completed_at timestamptz`.execute(db);
}
