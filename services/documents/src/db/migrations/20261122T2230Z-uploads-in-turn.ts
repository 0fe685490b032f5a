import { sql, type Kysely } from 'kysely';

/** Uploads are checked in turn of their senders, and those that take long beside the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE uploads
      ADD COLUMN claimed_at timestamptz,
      ADD COLUMN takes_long boolean NOT NULL DEFAULT false`.execute(db);
}
