import { sql, type Kysely } from 'kysely';

/** For using a code up: it is looked for by its purpose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX CONCURRENTLY IF NOT EXISTS otp_sends_by_key ON otp_sends (key) WHERE digest IS NOT NULL`.execute(
    db,
  );
}

export const withoutTransaction = true;
