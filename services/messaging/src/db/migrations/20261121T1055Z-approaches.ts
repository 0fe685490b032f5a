import { sql, type Kysely } from 'kysely';

/** Whom a user has written to first without sharing anything: so many a time, whom nobody has asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE approaches (
      user_id uuid NOT NULL,
      other_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, other_id)
    )`.execute(db);
}
