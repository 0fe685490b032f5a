import { sql, type Kysely } from 'kysely';

/** Read and built beside the running product. */
export const withoutTransaction = true;

/** Holds the e-mails that were there to the new rules as well, and finds those of a leader. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_leader_id_fkey`.execute(db);
  await sql`ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_state_check`.execute(db);
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries_by_leader ON deliveries (leader_id)
    WHERE leader_id IS NOT NULL`.execute(db);
}
