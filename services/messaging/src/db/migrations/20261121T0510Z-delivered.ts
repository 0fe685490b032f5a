import { sql, type Kysely } from 'kysely';

/** Up to which place what one wrote has reached a device of the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE conversations
      ADD COLUMN delivered_to_a integer NOT NULL DEFAULT 0,
      ADD COLUMN delivered_to_b integer NOT NULL DEFAULT 0`.execute(db);
}
