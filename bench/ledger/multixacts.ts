/** How many multixacts Postgres makes: lists of transactions that lock one row at the same time. */
import { sql, type Kysely } from 'kysely';

/** Runs the work and counts what it makes. The role has to be one that may checkpoint and read the control file. */
export async function multixactsOf<DB, T>(
  db: Kysely<DB>,
  work: () => Promise<T>,
): Promise<{ made: number; result: T }> {
  const before = await nextMultixact(db);
  const result = await work();
  return { made: (await nextMultixact(db)) - before, result };
}

/** The control file has it as of the last checkpoint. */
async function nextMultixact<DB>(db: Kysely<DB>): Promise<number> {
  await sql`CHECKPOINT`.execute(db);
  const { rows } = await sql<{ next: string }>`
    SELECT next_multixact_id::text AS next FROM pg_control_checkpoint()`.execute(db);
  return Number(rows[0]?.next);
}
