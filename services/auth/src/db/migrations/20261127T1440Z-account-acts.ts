import { sql, type Kysely } from 'kysely';

/**
 * The act that a session may perform once, because a code to the account's number confirmed it (an HMAC: the act may name a
 * number); and the number that an account gets after the waiting time, because the present one is lost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE sessions
      ADD COLUMN confirmed_act text,
      ADD COLUMN confirmed_until timestamptz`.execute(db);
  await sql`
    ALTER TABLE users
      ADD COLUMN moving_to text,
      ADD COLUMN moves_at timestamptz`.execute(db);
}
