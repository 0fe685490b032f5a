import { sql, type Kysely } from 'kysely';

/** Payments can be given back: what is told of a charge is ordered by its number, in whatever order it arrives. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE documents ADD COLUMN charge_number integer NOT NULL DEFAULT 0`.execute(db);
}
