import { sql, type Kysely } from 'kysely';

/** A number for each claim of a finalization job, which only grows; attempts begin anew with each request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE finalization_jobs ADD COLUMN fence bigint NOT NULL DEFAULT 0`.execute(db);
}
