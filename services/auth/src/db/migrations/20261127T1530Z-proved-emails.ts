import { sql, type Kysely } from 'kysely';

/** When the address was proved by a code that was sent to it; null for an address that was only typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE users ADD COLUMN email_proved_at timestamptz`.execute(db);
}
