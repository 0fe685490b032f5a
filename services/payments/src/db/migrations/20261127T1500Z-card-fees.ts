import { sql, type Kysely } from 'kysely';

/** What was paid on top of a top-up for the card provider's fee, and what went back of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE card_movements ADD COLUMN fee_paise bigint NOT NULL DEFAULT 0`.execute(db);
}
