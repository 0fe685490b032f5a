import { sql, type Kysely } from 'kysely';

/** For the numbers that are to change: hardly any user has one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS users_moving ON users (moves_at) WHERE moves_at IS NOT NULL`.execute(
    db,
  );
}

export const withoutTransaction = true;
