import { sql, type Kysely } from 'kysely';

/** The language that a user reads; null until the user's browser has said so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE users ADD COLUMN language text CHECK (language IN ('en', 'hi', 'ta', 'bn', 'mr', 'te'))`.execute(
    db,
  );
}
