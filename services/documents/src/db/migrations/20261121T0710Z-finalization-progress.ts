import { sql, type Kysely } from 'kysely';

/** How far a finalization is, and by which code and at which file it failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE finalization_jobs
      ADD COLUMN progress jsonb,
      ADD COLUMN progress_no integer NOT NULL DEFAULT 0,
      ADD COLUMN fault_code text,
      ADD COLUMN fault_file text`.execute(db);
}
